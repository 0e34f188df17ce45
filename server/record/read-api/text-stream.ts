/** A long answer that is written while it is read. */
const encoder = new TextEncoder();

/** @param onBreak  told what ended it before its time; the reader then gets no end either */
export function textStream(
  pieces: AsyncGenerator<string>,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onBreak(error);
        controller.error(new Error('the rows broke off'));
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
