/** Callbacks from an admin's post to its list. */
export interface PostAdmin {
  userId: string;
  onChanged: () => Promise<void>;
  onDeleted: () => Promise<void>;
  /** The post was deleted before its edit was saved: the text moves to a new post. */
  onRescue: (postId: string, text: string) => Promise<void>;
}
