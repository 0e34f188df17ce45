/** A stream lasts five seconds, so on a busy machine a test comes too late for its middle: this stops a stream there. */
import type { Page } from 'playwright-core';

/**
 * Call it before the page is opened. The tab's first forecast stream stays open after this many candles and brings no
 * more. Its next streams, also after a reload, are whole.
 */
export function holdFirstStream(page: Page, candles: number): Promise<unknown> {
  return page.addInitScript((count) => {
    const { fetch } = globalThis;
    globalThis.fetch = async (input, init) => {
      const address = input instanceof Request ? input.url : String(input);
      const response = await fetch(input, init);
      const isFirst = address.includes('/stream-kat2') && sessionStorage.getItem('held') === null;
      if (!isFirst || response.body === null) return response;
      sessionStorage.setItem('held', 'yes');
      return new Response(firstCandlesOf(response.body), response);
    };

    function firstCandlesOf(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
      const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
      const encoder = new TextEncoder();
      let [text, passed] = ['', 0];
      return new ReadableStream({
        async start(controller) {
          try {
            // Read on while it is held, to notice that the page aborts it.
            for (let part = await reader.read(); !part.done; part = await reader.read()) {
              text += part.value;
              const events = text.split('\n\n');
              text = events.pop() ?? '';
              for (const event of events) {
                if (passed < count) controller.enqueue(encoder.encode(`${event}\n\n`));
                if (event.includes('data: {"time"')) passed += 1;
              }
            }
          } catch (error) {
            controller.error(error);
          }
        },
        cancel: (reason) => reader.cancel(reason),
      });
    }
  }, candles);
}
