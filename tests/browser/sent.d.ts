// Written by tests/browser/sent.py from what the server sends.

interface Action {
  name: string;
  sentence: string;
  inputs: (string)[];
}

interface Answer {
  player: string;
  answer: "" | "declined" | "insured";
  late: boolean;
}

interface Ask {
  player: string;
  banker: string;
}

interface Bead {
  column: number;
  row: number;
  winner: "banker" | "player" | "tie";
  player_pair: boolean;
  banker_pair: boolean;
}

interface Case {
  case: string;
  title: string;
  facts: Record<string, string | boolean>;
  decided_by: string;
  drawn: number;
  ruled: boolean;
  ways: (Way)[];
  actions: (Action)[];
  override: Power;
  in_question: number;
  orders: (Laid)[];
  choosers: (Chooser)[];
  missing: (number)[];
  interpretations: (number)[];
  left: ([string, string])[];
  rules: (string)[];
}

interface Cell {
  column: number;
  row: number;
  winner: "banker" | "player" | "tie";
  ties: number;
}

interface Chooser {
  player: string;
  stakes: (Stake)[];
  choice: string | null;
}

interface Desk {
  version: number;
  rank: string;
  players: (string)[];
  next: Next;
  answers: (Answer)[];
  payouts: Payouts | null;
  powers: Record<string, Power>;
  case: Case | null;
  present: Present;
  pace: Pace;
}

interface HeldUp {
  case: string;
  title: string;
  facts: Record<string, string | boolean>;
  decided_by: string;
  decides: string | null;
  remedies: (string)[];
  choices: Record<string, string>;
  rules: (string)[];
}

interface House {
  id: string;
  title: string;
  dealer: string;
  closed: boolean;
  live_odds: boolean;
  commitment: string;
  called: string;
  decks: number;
  chip_unit: number;
  insurance: boolean;
  face_down: boolean;
  squeezes: string;
  watching: number;
}

interface Irregularity {
  case: string;
  remedies: (string)[];
  shown: (number)[];
  rules: (string)[];
}

interface Laid {
  order: (number)[];
  first: "AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "TC" | "JC" | "QC" | "KC" | null;
  player: ("AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "TC" | "JC" | "QC" | "KC")[];
  banker: ("AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "TC" | "JC" | "QC" | "KC")[];
  points: Record<string, number>;
  notes: (Told)[];
}

interface Limit {
  min: number;
  max: number | null;
}

interface Line {
  player: string;
  box: number;
  bet: string;
  stake: number;
  result: "lose" | "push" | "win" | "returned";
  odds: string | null;
  net: number;
  rules: (string)[];
  window: number | null;
  played: number | null;
  exact: string | null;
}

interface Method {
  name: string;
  title: string;
}

interface Next {
  kind: "command" | "draw" | "turn" | "wait";
  command: Record<string, any>;
  hand: "player" | "banker" | null;
  place: number;
  why: Told | null;
  said: string;
  rules: (string)[];
}

interface Notice {
  text: string;
  rules: (string)[];
}

interface Pace {
  betting: number;
  insurance: number;
  adjusting: number;
  choice: number;
  squeeze: number;
  card: number;
  result: number;
  shuffle: number;
}

interface PaidLine {
  bet: string;
  window: number | null;
  stake: number;
  result: string;
  odds: string | null;
  net: number;
  rules: (string)[];
}

interface Payout {
  box: number;
  player: string;
  standing: boolean;
  lines: (PaidLine)[];
  net: number;
}

interface Payouts {
  settled: boolean;
  outcome: string;
  people: (Payout)[];
  take: number;
  pay: number;
}

interface Power {
  may: boolean;
  why: string;
  rules: (string)[];
}

interface Present {
  limits: Record<string, Record<string, number | null>>;
  differential: number | null;
  method: string;
  methods: (Method)[];
  insurance: boolean | null;
  may_waive: boolean;
  device: string;
  wagers_per_area: number | null;
  most_wagers: number | null;
  cut: number;
  most_cut: number;
}

interface Proposal {
  cards: ("AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "TC" | "JC" | "QC" | "KC" | null)[];
  by: string;
  reason: string;
}

interface Purchase {
  player: string;
  box: number;
  hand: "player" | "banker";
  window: "1" | "2";
  row: number;
  cents: number;
  late: boolean;
}

interface Roads {
  bead_plate: (Bead)[];
  big_road: (Cell)[];
  big_eye_boy: string;
  small_road: string;
  cockroach_pig: string;
  ask: Ask;
}

interface Rung {
  rank: string;
  title: string;
  may: boolean;
  you: boolean;
}

interface Said {
  key: "amended-hand" | "amended-insurance" | "amended-offer" | "amended-settlement" | "amended-share" | "banker-third-first" | "bets-reopened" | "card" | "card-face-down" | "cards-handed" | "cards-laid" | "cards-refused" | "cards-replaced" | "cards-shown" | "cards-taken-back" | "chips-put-right" | "chips-taken" | "choices-offered" | "corrected" | "cut-card" | "decided-settled" | "device-given" | "device-returned" | "differential" | "dismissed" | "display-corrected" | "first-hand" | "goes-on" | "held-up" | "insurance-closed" | "insurance-offered" | "late-chips" | "late-insurance-offered" | "natural" | "new-shoe" | "no-more-bets" | "pair" | "place-your-bets" | "points" | "raise-demanded" | "record-questioned" | "record-stands" | "result" | "reversed" | "round-void" | "ruled" | "setup-changes" | "squeeze" | "third-card" | "walked-away" | "withdrawal-allowed";
  facts: Record<string, string | number>;
  rules: (string)[];
}

interface SeenCard {
  place: number;
  hand: "player" | "banker";
  card: "AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "TC" | "JC" | "QC" | "KC" | null;
  exposed: boolean;
  held_by: string | null;
  seen_by: (string)[];
}

interface SeenOffer {
  hand: "player" | "banker";
  window: number;
  odds: string;
  caps: Record<string, number>;
  rules: (string)[];
  late: boolean;
}

interface Settlement {
  outcome: "banker" | "player" | "tie";
  player: number;
  banker: number;
  lines: (Line)[];
  irregularities: (Irregularity)[];
}

interface Stake {
  player: string;
  box: number;
  bet: string;
  cents: number;
  order: number;
  seated: boolean;
  by: string;
}

interface TimerView {
  name: string;
  ms: number;
  left_ms: number;
}

interface Told {
  key: string;
  facts: Record<string, string | number>;
  rules: (string)[];
}

interface View {
  rulebook: string;
  layout: string;
  positions: number;
  method: string;
  bets: (string)[];
  limits: Record<string, Limit>;
  differential: number | null;
  notices: (Notice)[];
  phase: string;
  round: number;
  seats: Record<string, string>;
  stakes: (Stake)[];
  late: (Stake)[];
  gone: (string)[];
  purchases: (Purchase)[];
  cards: (SeenCard)[];
  points: Record<string, number | null>;
  offers: (SeenOffer)[];
  held_up: HeldUp | null;
  reported: (Waits)[];
  amendment: Proposal | null;
  settlement: Settlement | null;
  roads: Roads;
  shoe: number | null;
  cards_left: number | null;
  cut_card_out: boolean;
  waiting: ("AS" | "2S" | "3S" | "4S" | "5S" | "6S" | "7S" | "8S" | "9S" | "TS" | "JS" | "QS" | "KS" | "AH" | "2H" | "3H" | "4H" | "5H" | "6H" | "7H" | "8H" | "9H" | "TH" | "JH" | "QH" | "KH" | "AD" | "2D" | "3D" | "4D" | "5D" | "6D" | "7D" | "8D" | "9D" | "TD" | "JD" | "QD" | "KD" | "AC" | "2C" | "3C" | "4C" | "5C" | "6C" | "7C" | "8C" | "9C" | "TC" | "JC" | "QC" | "KC")[];
  device: string | null;
  racks: Record<string, number>;
  owed: Record<string, number>;
}

interface Waits {
  case: string;
  title: string;
  decides: string;
  rules: (string)[];
}

interface Way {
  reconstructable: boolean | null;
  remedies: ([string, string])[];
  inputs: (string)[];
  ladder: (Rung)[];
  power: Power;
  rules: (string)[];
}
