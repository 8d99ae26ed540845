import { Hired } from '#libs/features/hires/domain/hire.js';
import { addCount, byOptionalProject } from '#libs/features/projects/views/projects.js';
import { onExisting } from '#libs/views/projection.js';

export const PROJECT_HIRE_STEPS = [onExisting(Hired, byOptionalProject, addCount('hires', 1))];
