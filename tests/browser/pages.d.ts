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
  said?: Said[];
  timer?: TimerView;
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

/** Events on these pages come from elements. */
interface EventTarget {
  closest?(selector: string): any;
}
