/**
 * What a user wishes of each post's like, and how that gets to the server: one request at a time for each post, and
 * none that the next one would only undo.
 */
export interface LikePorts {
  send(postId: string, isLiked: boolean): Promise<void>;
  /** The server has it so now. */
  onSent(postId: string, isLiked: boolean): void;
  /** The wish is given up: the post shows again what the server had. */
  onFailed(postId: string, error: unknown): void;
  /** A wish has come or gone. */
  onChange(): void;
}

export class LikeWishes {
  readonly #ports: LikePorts;
  readonly #wished = new Map<string, boolean>();
  readonly #underWay = new Set<string>();

  constructor(ports: LikePorts) {
    this.#ports = ports;
  }

  /** Undefined: none, the server's word holds. */
  of(postId: string): boolean | undefined {
    return this.#wished.get(postId);
  }

  /** @param known  what the server has, as far as this page knows */
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

  /** Until the server has what was wished last. */
  async #settle(postId: string, known: boolean): Promise<void> {
    let server = known;
    for (let wished = this.of(postId); wished !== undefined && wished !== server; wished = this.of(postId)) {
      await this.#ports.send(postId, wished);
      server = wished;
      this.#ports.onSent(postId, server);
    }
  }
}
