/** One request at a time per post, and none that the next one would only undo. */
export interface LikePorts {
  send(postId: string, isLiked: boolean): Promise<void>;
  onSent(postId: string, isLiked: boolean): void;
  /** The change is dropped: the post shows the server's state again. */
  onFailed(postId: string, error: unknown): void;
  onChange(): void;
}

export class LikeWishes {
  readonly #ports: LikePorts;
  readonly #wished = new Map<string, boolean>();
  readonly #underWay = new Set<string>();

  constructor(ports: LikePorts) {
    this.#ports = ports;
  }

  /** Undefined: no change is pending, and the server's state applies. */
  of(postId: string): boolean | undefined {
    return this.#wished.get(postId);
  }

  /** @param known  the server's state, as far as this page knows */
  async wish(postId: string, isLiked: boolean, known: boolean): Promise<void> {
    this.#wished.set(postId, isLiked);
    this.#ports.onChange();
    if (this.#underWay.has(postId)) return;
    this.#underWay.add(postId);
    try {
      await this.#settle(postId, known);
    } catch (error) {
      this.#ports.onFailed(postId, error);
    } finally {
      this.#underWay.delete(postId);
      this.#wished.delete(postId);
      this.#ports.onChange();
    }
  }

  /** Sends until the server has the latest requested state. */
  async #settle(postId: string, known: boolean): Promise<void> {
    let server = known;
    for (let wished = this.of(postId); wished !== undefined && wished !== server; wished = this.of(postId)) {
      await this.#ports.send(postId, wished);
      server = wished;
      this.#ports.onSent(postId, server);
    }
  }
}
