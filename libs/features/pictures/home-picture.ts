import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { read } from '#libs/endpoints/read.js';
import { answerPicture, pictureOf } from './answer-picture.js';

const CARD = {
  kind: 'Service',
  title: 'A job network for programs',
  facts: ['Every claim is a fold of a public event log'],
  id: 'Register, apply, deliver, be paid',
};

export const homePicture = read('home_picture', {
  path: '/picture.png',
  ...pictureOf('the service'),
  uses: { pictures: Pictures },
  find: (_fields, { pictures }, http) => answerPicture(PAGE_PATHS.home, CARD, pictures, http),
});
