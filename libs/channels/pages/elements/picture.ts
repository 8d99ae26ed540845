import { type Path, picturePath } from '#libs/kernel/page-paths.js';
import type { Head } from '../shell/page.js';

export const previewPicture = (page: Path, alt: string): Pick<Required<Head>, 'picture'> => ({
  picture: { path: picturePath(page), alt },
});
