// The API: JSON both ways, problems as values with a sentence and paragraphs.

const TRIES = 4;
const PATIENCE_MS = 30_000; // after which an answer is taken for lost, and asked for again

/** What the server says no with: `code`, a sentence, the paragraphs; of several commands which one; of a
 * rulebook all that was found. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail);
    this.said = problem.said ?? problem.detail;
    this.code = problem.code;
    this.key = problem.key ?? "";
    this.facts = problem.facts ?? {};
    this.rules = problem.rules ?? [];
    this.status = problem.status;
    this.index = problem.index ?? 0;
    this.findings = problem.findings ?? [];
  }
}

/** What the server said no with, in the reader's words; `otherwise` where it gave no answer. */
export const saidOf = (error, otherwise) => (error instanceof Refused ? error.said : otherwise);

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Unique for each thing that is asked; the same again if it has to be asked twice. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What `attempt` comes to, made again while the server cannot be reached; it gets the number of the try. */
export async function insist(attempt) {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      const worthIt = !(error instanceof Refused) || error.status === 503;
      if (!worthIt || number === TRIES) throw error;
      await pause(200 * 2 ** number);
    }
  }
}

/** The answer; asked again with the same key while the server cannot be reached, so nothing is done twice. */
export function ask(method, path, body) {
  const key = newKey();
  return insist(() => request(method, path, body, key));
}

/** One request, and its answer or what it was refused with. */
export async function request(method, path, body, key) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method === "POST" && key) headers["Idempotency-Key"] = key;
  const answer = await fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const text = await answer.text();
  let told;
  try {
    told = text ? JSON.parse(text) : null;
  } catch {
    told = null;
  }
  if (answer.ok) return told;
  throw new Refused({ detail: answer.statusText, code: "unknown", ...told, status: answer.status });
}

export const get = (path) => ask("GET", path);

/** Somebody to play as: whoever is signed in, else a new guest. */
export async function somebody(name) {
  if (name) return name;
  const me = await get("/api/me");
  return me.name || (await ask("POST", "/api/guests")).name;
}

/** Join with what is usual of the wallet and take that seat, or stand if there is none. */
export const sitDown = (table, box) => ask("POST", `/api/tables/${table}/sit-down`, box ? { box, usual: true } : { usual: true });

/** Give up the seat; the rack goes into the wallet. */
export const leaveTable = (table) => ask("POST", `/api/tables/${table}/leave`);
