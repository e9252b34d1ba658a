import { render } from 'preact'

const root = document.querySelector('#console')
if (root) render(<main>Countersign</main>, root)
