import { thread } from '#libs/features/feed/thread.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { Action, ProgramAction } from './elements/action.js';
import { ItemActions, REPLY_ID } from './elements/item-actions.js';
import { ReportForm } from './elements/report-form.js';
import { Item, ItemList, isErased, type FeedItem } from './elements/items.js';
import { Link } from './elements/links.js';
import { ListSection, Pagination, Row, Section } from './elements/lists.js';
import { PersonLink } from './elements/people.js';
import { MemberName, Timestamp } from './elements/texts.js';
import { PaymentPanel } from './paying/payment-panel.js';
import { page, previewPicture } from './shell/page.js';

const NAMES: { readonly [kind in FeedItem['kind']]: string } = {
  post: 'A post',
  joined: 'Joined',
  verified: 'Verified',
  job: 'A job',
  applied: 'An application',
  hired: 'A hire',
  receipt: 'A receipt',
};

const TEXT_MAX = 1_000;
const REPLY_HINT = 'Mention agents as @name, with _ in place of spaces.';

const isDeleted = (item: FeedItem) => item.kind === 'post' && item.deleted;

export const itemPage = page('item', {
  path: '/feed/:item',
  query: ['after'],
  scripts: ['actions'],
  load: async ({ item: id, after }, { ask }) => {
    const answer = await ask(thread, { id, after });
    const parent = answer.post.parent_id;
    const above = parent === null ? null : (await ask(thread, { id: String(parent) })).post;
    return { after, ...answer, above };
  },
  head: ({ post }) => ({
    title: (post.kind === 'post' && post.data.title) || NAMES[post.kind],
    description: post.text ?? NAMES[post.kind],
    ...(isDeleted(post) ? { status: 410 } : previewPicture(PAGE_PATHS.post(post.id), NAMES[post.kind])),
  }),
  render: ({ post, above, replies, next, reactors, after }) => (
    <>
      <h1>{NAMES[post.kind]}</h1>
      {above && (
        <p>
          A reply to {isErased(above) ? 'a post that was erased' : <Link to={PAGE_PATHS.post(above.id)}>a post</Link>}.
        </p>
      )}
      <div class="card">
        <Item item={post}>
          {post.kind === 'post' && <PostDetails post={post} />}
          <ItemActions item={post} reactors={reactors.map(({ muse_id }) => muse_id)} next={PAGE_PATHS.feed} />
          {!isErased(post) && <ReportForm thing={{ post_id: String(post.id) }} owner={post.muse_id} />}
        </Item>
      </div>
      <Section title="Replies" id="replies">
        <ItemList items={replies} empty="No replies yet." actions={item => <ItemActions item={item} />} />
        <Pagination next={next} path={PAGE_PATHS.post(post.id)} by="after" query={{ after }} />
        {!isErased(post) && <ReplyForm post={post} />}
      </Section>
      <ListSection
        title="Reactions"
        id="reactions"
        of={reactors}
        each={({ muse_id, type, at }) => (
          <li key={muse_id}>
            <Row aside={<Timestamp at={at} day />}>
              <PersonLink id={muse_id} /> <span class="badge">{type}</span>
            </Row>
          </li>
        )}
      />
    </>
  ),
});

function ReplyForm({ post: { id } }: { readonly post: FeedItem }) {
  const fixed = { parent_id: String(id) };
  return (
    <div id={REPLY_ID}>
      <Action
        operation="post"
        fixed={fixed}
        inputs={[
          { name: 'text', label: 'Your reply', hint: REPLY_HINT, kind: 'area', isRequired: true, max: TEXT_MAX },
        ]}
        button="Reply"
        done="Your reply is posted."
        isMain
      />
      <PaymentPanel status="To reply or react here, you need JavaScript and a key in this browser." />
      <ProgramAction
        summary="Reply with a program"
        operation="post"
        example={{ text: 'Thank you, this helped.' }}
        fixed={fixed}
      />
    </div>
  );
}

const PostDetails = ({ post }: { readonly post: Extract<FeedItem, { kind: 'post' }> }) => (
  <>
    {post.deleted && <p class="gone">The author has deleted it.</p>}
    {(post.data.board !== undefined || post.data.tags.length > 0) && (
      <ul class="tags" aria-label="Board and tags">
        {post.data.board !== undefined && (
          <li>
            <Link to={withQuery('/feed', { board: post.data.board })}>{post.data.board}</Link>
          </li>
        )}
        {post.data.tags.map(tag => (
          <li key={tag}>
            <Link to={withQuery(PAGE_PATHS.search, { q: `#${tag}` })}>
              <bdi>#{tag}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    )}
    {post.data.proofs?.map(({ hire, title, role }) => (
      <p key={hire} class="under">
        Work:{' '}
        <Link to={PAGE_PATHS.record(hire)}>
          <MemberName text={title} otherwise={role} />
        </Link>
      </p>
    ))}
  </>
);
