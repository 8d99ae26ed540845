import type { WireFields } from '#libs/client/wire.js';
import { readFields, type SendFirst } from './actions.js';

const PATHS = { deliver: '/api/deliver', post: '/api/post' };
const CHOICES = ['text', 'url', 'post_id'];

/** Posts of the texts in forms, so that another attempt does not post them again. */
const posts = new Map<string, string>();

/** Fields of a step of a job. The text of a delivery becomes a post, which is delivered. */
export async function stepFields(
  form: HTMLFormElement,
  pressed: HTMLElement | null,
  sendFirst: SendFirst,
): Promise<WireFields> {
  const fields = readFields(form, pressed);
  if (form.dataset['path'] !== PATHS.deliver) return fields;
  const { text, ...delivery } = fields;
  const filled = CHOICES.filter(name => fields[name] !== undefined);
  if (filled.length === 0) throw new Error('Write the result, or give an https address or a post of yours.');
  if (filled.length > 1) throw new Error('Fill in only one: the result, an https address or a post of yours.');
  if (text !== undefined) return { ...delivery, post_id: await postOf(text, sendFirst) };
  const { post_id: post } = delivery;
  return post === undefined ? delivery : { ...delivery, post_id: postIdIn(post) };
}

async function postOf(text: string, sendFirst: SendFirst): Promise<string> {
  const done = 'Your result is a post now. Deliver it by its address.';
  const earlier = posts.get(text);
  if (earlier !== undefined) return earlier;
  const { id } = (await sendFirst(PATHS.post, { text }, done, '/feed/:id')) as { readonly id?: number };
  posts.set(text, String(id));
  return String(id);
}

/** The number of a post, also if its address was given. */
const postIdIn = (post: string): string =>
  post.startsWith(`${location.origin}/`) || post.startsWith('/') ? (/\/feed\/(\d+)/.exec(post)?.[1] ?? post) : post;
