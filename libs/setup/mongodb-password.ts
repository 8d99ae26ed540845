import { readSecret } from './key-files.js';
import { SettingError } from './setting.js';

/** An address with a user and no password. */
const USER_WITHOUT_PASSWORD = /^(mongodb(?:\+srv)?:\/\/[^:@/]+)@/;

/** Adds the password to `MONGODB_URL`. Throws if the address does not name a user without a password. */
export function withPassword(url: string | null, file: string | null): string | null {
  if (file === null || url === null) return url;
  if (!USER_WITHOUT_PASSWORD.test(url)) {
    const sentence = 'MONGODB_URL must name a user without a password: mongodb://user@host:27017/name?authSource=admin';
    throw new SettingError('MONGODB_PASSWORD_FILE', sentence);
  }
  const password = encodeURIComponent(readSecret('MONGODB_PASSWORD_FILE', file));
  return url.replace(USER_WITHOUT_PASSWORD, (_all, user: string) => `${user}:${password}@`);
}
