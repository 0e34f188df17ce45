import Heart from 'lucide-react/icons/heart';
import { groupedCount } from '#domain/format/count.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import type { PostLikes } from './changelog-api.ts';
import styles from './like-button.module.css';

export interface LikeButtonProps {
  /** Null until loaded: nothing can be toggled yet. */
  likes: PostLikes | null;
  describedBy: string;
  onToggle: () => void;
}

export function LikeButton({ likes, describedBy, onToggle }: LikeButtonProps) {
  const isLiked = likes?.isLiked ?? false;
  return (
    <div className="row gap-3">
      <Button
        size="small"
        aria-pressed={isLiked}
        aria-describedby={describedBy}
        disabled={likes === null}
        className={classNames(styles.button, isLiked && styles.liked)}
        icon={<Heart size={14} aria-hidden="true" fill={isLiked ? 'currentColor' : 'none'} />}
        onClick={onToggle}
      >
        Like
      </Button>
      <span className={styles.count}>{likes === null ? '' : likesLabel(likes.count)}</span>
    </div>
  );
}

function likesLabel(count: number): string {
  if (count === 0) return 'No likes yet';
  return count === 1 ? '1 like' : `${groupedCount(count)} likes`;
}
