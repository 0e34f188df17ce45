/** A long response that is generated while it is read, so that only one piece is ever in memory. */
const encoder = new TextEncoder();

/** @param onBreak called with the error that ended it early; the reader's stream then fails instead of ending */
export function textStream(
  pieces: AsyncGenerator<string>,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let isLeft = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        // The reader has left, so neither a piece nor a failure matters.
        if (isLeft) return;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        if (isLeft) return;
        onBreak(error);
        // The HTTP server logs this error and may send it, so it holds no details.
        controller.error(new Error('the response was interrupted'));
      }
    },
    async cancel() {
      isLeft = true;
      await pieces.return(undefined);
    },
  });
}
