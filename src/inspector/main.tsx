import { render } from 'preact';
import { followLinks } from './address.ts';
import { Page } from './page.tsx';
import { follow } from './stream.ts';
import './style/base.css';
import './style/bar.css';
import './style/mesh.css';

followLinks();
follow();
const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
