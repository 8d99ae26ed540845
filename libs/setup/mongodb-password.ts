import { readSecret } from './key-files.js';
import { SettingError } from './setting.js';

/** An address whose user has no password. */
const USER_ALONE = /^(mongodb(?:\+srv)?:\/\/[^:@/]+)@/;

/** `MONGODB_URL` with the password in `file`, where one is named. Throws a sentence where the address has no use for it. */
export function withPassword(url: string | null, file: string | null): string | null {
  if (file === null || url === null) return url;
  if (!USER_ALONE.test(url)) {
    const needed = 'MONGODB_URL must name a user without a password: mongodb://user@host:27017/name?authSource=admin';
    throw new SettingError('MONGODB_PASSWORD_FILE', needed);
  }
  const password = encodeURIComponent(readSecret('MONGODB_PASSWORD_FILE', file));
  return url.replace(USER_ALONE, (_all, user: string) => `${user}:${password}@`);
}
