// What the pages make of what the server sends (build/sent.d.ts, by sent.py).

/** A view with what is public of a live table besides. */
type Seen = View & { house: PublicFacts };

/** `view` in the first message, `changed` in all others. */
interface Message {
  version: number;
  from?: number;
  view?: Seen;
  changed?: Partial<Seen>;
  you?: Partial<Seen>;
  said?: Heard[];
  stands?: Heard[];
  timer?: TimerView;
  here?: number;
  came?: number; // when the page got it
}

interface Command {
  command: string;
  [field: string]: any;
}

/** A command that would be accepted, and what may be varied in it. */
interface Option {
  command: Command;
  most?: number;
  step?: number;
  cards?: string[];
  places?: number[];
  free?: string[];
}

/** A finished round, as it stays on the table. */
type LastRound = Pick<Seen, "round" | "cards" | "points" | "settlement" | "stakes" | "shoe">;

/** One's own chips on their way. */
type SentStake = Pick<Stake, "box" | "bet" | "cents">;

/** Insurance of this round, as far as the page knows it. */
type Bought = Omit<Purchase, "row" | "window"> & { window: number };

/** The one thing to do next at the desk. */
interface RequiredAction {
  eyebrow: string;
  title: any;
  text?: any;
  amber?: boolean;
  timer?: boolean;
  button?: DeskButton;
  under?: string;
  second?: Pick<DeskButton, "label" | "run" | "key">;
}

/** `card` where it confirms the card that is typed. */
interface DeskButton {
  label: string;
  icon?: string;
  run?: () => any;
  enabled?: boolean;
  card?: boolean;
  key?: string;
}

/** What a step wants a card for. */
interface TakesCard {
  place?: number;
  title?: string;
  small?: string;
  hint?: string;
  masked?: boolean;
  card: (value: string) => any;
}

/** A step of the desk: when it is now, what it requires, and what it shows where. */
interface Step {
  key: string;
  now: () => boolean;
  required: () => RequiredAction;
  whole?: boolean;
  label?: () => string;
  bar?: () => { label: string; done: boolean; now: boolean }[];
  head?: () => any[];
  below?: () => any[];
  says?: string;
  answers?: (box: number) => any;
  ring?: () => number;
  seat?: (box: number) => void;
  hands?: () => any;
  stage?: () => any;
  rail?: () => any;
  focus?: () => void;
  takes?: () => TakesCard | null;
  locked?: () => any;
  keys?: (event: KeyboardEvent) => boolean;
}

/** What is opened over the right column. */
interface SidePanel {
  name: string;
  title: () => string;
  open: (place: any) => void;
}

/** Events on these pages come from elements. */
interface EventTarget {
  closest?(selector: string): any;
}
