// What somebody does at a player's table, and reads there.

/** One's own spot, on the felt or in a phone's grid, or something on it. */
export const spot = (bet, on = "") => `.shown .own .spot[data-bet="${bet}"] ${on}, .shown .pspot[data-bet="${bet}"] ${on}`;
export const act = (name) => `[data-act="${name}"]`;
export const staked = (page) => page.text("table-purse .stake b");

/** One chip of that much on a spot. */
export async function bets(page, bet, dollars) {
  await page.click(`.chipbtn[data-cents="${dollars * 100}"]`);
  await page.click(spot(bet));
}

/** An amount as a page shows it, in cents. */
export const cents = (text) => Math.round(Number(text.replace(/,/g, "").replace("−", "-").replace("+", "")) * 100);
