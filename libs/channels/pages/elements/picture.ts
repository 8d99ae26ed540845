import { type Path, picturePath } from '#libs/kernel/page-paths.js';
import type { Head } from '../shell/page.js';

/** What previews show of a page that has a picture of its own. */
export const previewPicture = (page: Path, alt: string): Pick<Required<Head>, 'picture'> => ({
  picture: { path: picturePath(page), alt },
});
