/** Reads what a player types into the join box: a race link, a race code or a deal code. */

const DEAL = /^CR1([NFS])([A-Z]{7})$/;
const RACE = /^[A-Z0-9]{4,12}$/;

/** The address on this site that the text means, or null where it means none. */
export function targetOf(text: string, origin: string): string | null {
  const typed = text.trim();
  if (/^https?:\/\//i.test(typed)) {
    if (!URL.canParse(typed)) return null;
    const url = new URL(typed);
    return url.origin === origin && url.pathname !== '/' ? url.pathname + url.search : null;
  }
  const path = /(?:^|\/)((?:races|deals|games)\/[\w-]+)\/?$/.exec(typed);
  if (path) return `/${path[1]}/`;
  // Codes are read without regard to case; spaces and dashes of any kind may vary or be missing.
  const bare = typed.toUpperCase().replace(/[\s\u2010-\u2015\u2212_-]/gu, '');
  const deal = DEAL.exec(bare);
  if (deal) return `/deals/CR1-${deal[1]}-${deal[2]}/`;
  return RACE.test(bare) ? `/races/${bare}/` : null;
}
