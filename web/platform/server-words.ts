/** What of a refused question for rows is fit for people. */

/**
 * The server's own words come with a code. Without one nothing arrived, or a page of something in between: what the
 * library tells then is the browser's word for that ('TypeError: Failed to fetch'), or a proxy's.
 *
 * @param otherwise  said in their place
 */
export function serverWords({ code, message }: { code?: string; message: string }, otherwise: string): string {
  return code && message !== '' && message.length <= LONGEST ? message : otherwise;
}

/** Characters: more is no sentence. */
const LONGEST = 200;
