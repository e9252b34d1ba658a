import { render } from 'preact'
import { App } from './app.tsx'
import { followAddress } from './live/live.ts'

const root = document.querySelector('#console')
if (root) {
  followAddress()
  root.replaceChildren()
  render(<App />, root)
}
