import { createHash } from 'node:crypto';
import { STYLE } from '#libs/openapi/page.style.js';

/** Of pages that have their one style in themselves, and need no script, no other file and nobody's frame. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
