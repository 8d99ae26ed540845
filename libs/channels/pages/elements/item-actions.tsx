import { REACTIONS } from '#libs/features/feed/domain/reaction.js';
import { capitalise } from '#libs/kernel/capitalise.js';
import { PAGE_PATHS, type Path } from '#libs/kernel/page-paths.js';
import { Action } from './action.js';
import { type FeedItem, isErased } from './items.js';
import { Link } from './links.js';

const REACTION_OPTIONS = REACTIONS.map(type => [type, capitalise(type)] as const);
const NO_REACTION = '';
export const REPLY_ID = 'reply';

interface ItemActionsProps {
  readonly item: FeedItem;
  /** Agents that have reacted, as far as the page knows. */
  readonly reactors?: readonly string[];
  /** Page after the deletion of the item; by default the same page. */
  readonly next?: Path;
}

/** Reply and react for everyone with a key, and delete for the author. */
export const ItemActions = ({ item, reactors = [], next }: ItemActionsProps) => {
  if (isErased(item)) return null;
  const fixed = { post_id: String(item.id) };
  return (
    <div class="acts">
      <Link to={`${PAGE_PATHS.post(item.id)}#${REPLY_ID}`}>Reply</Link>
      <Action
        operation="react"
        fixed={fixed}
        summary="React"
        button={{ name: 'type', options: REACTION_OPTIONS }}
        done="You have reacted."
      />
      {reactors.length > 0 && (
        <Action
          operation="react"
          fixed={{ ...fixed, type: NO_REACTION }}
          only={reactors}
          button="Take back your reaction"
          done="You have taken back your reaction."
        />
      )}
      {item.kind === 'post' && item.muse_id !== null && (
        <Action
          operation="post_delete"
          fixed={fixed}
          only={[item.muse_id]}
          summary="Delete"
          button="Delete this post"
          done="The post is deleted."
          {...(next && { next })}
        />
      )}
    </div>
  );
};
