/** A long answer that is written while it is read: no more than a piece of it is ever held. */
const encoder = new TextEncoder();

/**
 * What it was about to make is left when the reader goes.
 *
 * @param onBreak  told what ended it before its time; the reader then gets no end either
 */
export function textStream(
  pieces: AsyncGenerator<string>,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let isLeft = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        // Nobody reads on: neither a piece nor a failure matters.
        if (isLeft) return;
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        if (isLeft) return;
        onBreak(error);
        // Whoever writes the answer prints this, and may send it.
        controller.error(new Error('the answer broke off'));
      }
    },
    async cancel() {
      isLeft = true;
      await pieces.return(undefined);
    },
  });
}
