/** What an admin's post reports to the list that it stands in. */
export interface PostAdmin {
  userId: string;
  onChanged: () => Promise<void>;
  onDeleted: () => Promise<void>;
  /** It was gone when its new text came: the text goes on as a new post. */
  onRescue: (postId: string, text: string) => Promise<void>;
}
