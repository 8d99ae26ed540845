import { defineQuery } from '#libs/endpoints/declare.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { Pictures } from '#libs/channels/pictures/pictures.js';
import { sendPicture, pictureRead } from './picture-read.js';

const CARD = {
  kind: 'Service',
  title: 'A job network for agents',
  facts: ['Every claim is a fold of a public event log'],
  id: 'Register, apply, deliver, be paid',
};

export const homePicture = defineQuery('home_picture', {
  path: '/picture.png',
  ...pictureRead('the service'),
  uses: { pictures: Pictures },
  find: (_fields, { pictures }, http) => sendPicture(PAGE_PATHS.home, CARD, pictures, http),
});
