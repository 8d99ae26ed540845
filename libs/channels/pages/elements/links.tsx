import type { ComponentChildren } from 'preact';
import type { Path } from '#libs/kernel/page-paths.js';
import { httpsAddress } from './https-address.js';

interface LinkProps {
  readonly to: Path;
  readonly children: ComponentChildren;
  readonly class?: string;
  /** Whether it leads to where the reader is. */
  readonly isCurrent?: boolean;
}

/** A path of this service: a browser takes `//host` and `/\host` for another one. */
export const isOwnPath = (path: string) => /^\/(?![/\\])/.test(path);

/** A link within the service. */
export function Link({ to, children, isCurrent, ...rest }: LinkProps) {
  if (!isOwnPath(to)) throw new Error(`${to} is no path of this service.`);
  return (
    <a {...rest} href={to} {...(isCurrent && { 'aria-current': 'page' })}>
      {children}
    </a>
  );
}

/** Where something stands that a member wrote or named. What is no https address is shown and leads nowhere. */
export function ExternalLink({ href, children }: { readonly href: string; readonly children?: ComponentChildren }) {
  const address = httpsAddress(href);
  const shown = children ?? <bdi>{href}</bdi>;
  if (address === null) return <span class="said-link">{shown}</span>;
  return (
    <a class="said-link" href={address} rel="nofollow ugc noopener">
      {shown}
    </a>
  );
}
