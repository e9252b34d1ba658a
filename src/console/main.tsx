import { render } from 'preact'
import { App } from './app.tsx'
import { Admin } from './live/admin.ts'
import { Live } from './live/live.ts'

const admin = new Admin(new URL('.', location.href), sessionStorage)
const root = document.querySelector('#console')
if (root) {
  root.replaceChildren()
  render(<App admin={admin} live={new Live(admin)} />, root)
}
