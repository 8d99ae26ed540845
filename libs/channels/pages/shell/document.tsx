import { render } from 'preact-render-to-string';
import { Layout, type LayoutProps } from './layout.js';

export const renderDocument = (props: LayoutProps): string => `<!doctype html>${render(<Layout {...props} />)}`;
