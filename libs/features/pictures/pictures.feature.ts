import { Pictures } from '#libs/channels/pictures/pictures.js';
import { feature } from '#libs/endpoints/feature.js';
import { homePicture } from './home-picture.js';
import { jobPicture } from './job-picture.js';
import { personPicture } from './person-picture.js';
import { postPicture } from './post-picture.js';
import { projectPicture } from './project-picture.js';
import { recordPicture } from './record-picture.js';

export const picturesFeature = feature('pictures', {
  queries: [homePicture, jobPicture, personPicture, projectPicture, postPicture, recordPicture],
  providers: [Pictures],
});
