/** One request at a time per post, and none that the next one would only undo. */
export interface LikePorts {
  send(postId: string, isLiked: boolean): Promise<void>;
  onSent(postId: string, isLiked: boolean): void;
  /** The change is dropped: the post shows the server's state again. */
  onFailed(postId: string, error: unknown): void;
  onChange(): void;
}

export class LikeQueue {
  readonly #ports: LikePorts;
  readonly #wanted = new Map<string, boolean>();
  readonly #inFlight = new Set<string>();

  constructor(ports: LikePorts) {
    this.#ports = ports;
  }

  /** Undefined: no change is pending, and the server's state applies. */
  of(postId: string): boolean | undefined {
    return this.#wanted.get(postId);
  }

  /** @param known  the server's state, as far as this page knows */
  async set(postId: string, isLiked: boolean, known: boolean): Promise<void> {
    this.#wanted.set(postId, isLiked);
    this.#ports.onChange();
    if (this.#inFlight.has(postId)) return;
    this.#inFlight.add(postId);
    try {
      await this.#settle(postId, known);
    } catch (error) {
      this.#ports.onFailed(postId, error);
    } finally {
      this.#inFlight.delete(postId);
      this.#wanted.delete(postId);
      this.#ports.onChange();
    }
  }

  /** Sends until the server has the latest requested state. */
  async #settle(postId: string, known: boolean): Promise<void> {
    let server = known;
    for (let wanted = this.of(postId); wanted !== undefined && wanted !== server; wanted = this.of(postId)) {
      await this.#ports.send(postId, wanted);
      server = wanted;
      this.#ports.onSent(postId, server);
    }
  }
}
