import { create } from './element.ts'

/** The members of answers that other operations need. */
const carried = [
  'tenant_id',
  'workflow_id',
  'execution_id',
  'document_id',
  'session_id',
  'key',
  'file_name',
  'upload_url',
]

const chosen = document.querySelector<HTMLMetaElement>('meta[name=server]')?.content ?? ''
// The mock serves this page under /docs/, perhaps behind a proxy with a prefix.
const server = (chosen || new URL('..', location.href).href).replace(/\/$/, '')
const isSameOrigin = chosen === '' || new URL(chosen).origin === location.origin
const keyInput = document.querySelector<HTMLInputElement>('#key')
const tokenInput = document.querySelector<HTMLInputElement>('#token')
const allKeys = document.querySelector<HTMLInputElement>('#all')

/** The length that the last upload request announced. */
let announcedSize = 0

interface Call {
  readonly url: string
  readonly init: RequestInit
}

/** Reads the call from a form. Throws an error for the reader if a field has no legal value. */
function callOf(form: HTMLFormElement): Call {
  const { kind, method = '', path = '' } = form.dataset
  const fields = new FormData(form)
  const headers = new Headers()
  const query = new URLSearchParams()
  let url = server + path
  for (const { name, value, dataset } of form.querySelectorAll<HTMLInputElement>('input[data-in]')) {
    const place = dataset.in
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
    else if (value === '') continue
    else if (place === 'url') url = value
    else if (place === 'query') query.set(name, value)
    else headers.set(name, value)
  }
  const isAdmin = kind === 'admin'
  const takesKey = kind !== 'storage' && !(isAdmin && allKeys?.checked)
  if (takesKey && keyInput?.value) headers.set('Authorization', keyInput.value)
  if (isAdmin && tokenInput?.value) headers.set('X-Admin-Token', tokenInput.value)
  const [file, text] = [fields.get('file'), fields.get('body')]
  if (text !== null) headers.set('Content-Type', 'application/json')
  const bytes = file instanceof File && file.size > 0 ? file : new Uint8Array(announcedSize)
  const body = file === null ? text : bytes
  return { url: query.size > 0 ? `${url}?${query}` : url, init: { method, headers, body } }
}

/** Creates a labelled text that can be scrolled with the keyboard. */
function part(label: string, text: string): HTMLElement[] {
  const properties = { tabindex: '0', role: 'group', 'aria-label': label }
  return [create('p', label, { class: 'label' }), create('pre', text, properties)]
}

/** Indents JSON; other texts stay as they are. */
function readable(text: string, type: string): string {
  if (!type.includes('json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function showAnswer(result: HTMLElement, response: Response, text: string, milliseconds: number): void {
  const status = create('p', ` ${response.statusText} in ${Math.round(milliseconds)} ms`)
  status.prepend(create('span', String(response.status), { class: `badge ${response.ok ? 'good' : 'bad'}` }))
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const isReadable = new URL(response.url).origin === location.origin
  result.replaceChildren(
    status,
    ...part(isReadable ? 'Headers' : 'Headers (those that the server shows to pages of other origins)', headers),
    ...(text === ''
      ? [create('p', 'No body', { class: 'label' })]
      : part('Body', readable(text, response.headers.get('Content-Type') ?? ''))),
  )
}

/** Moves identifiers into the fields that the reader has not changed. */
function carry(members: ReadonlyMap<string, string>): void {
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('form.fields [name]')) {
    if (field.value !== field.defaultValue || field.type === 'file') continue
    if (field instanceof HTMLTextAreaElement) {
      // The requests that create something are not about what was created.
      if (field.form?.dataset.path?.endsWith('/upload/')) continue
      const body = JSON.parse(field.value, (name, value) => (typeof value === 'string' && members.get(name)) || value)
      field.defaultValue = JSON.stringify(body, null, 2)
    } else {
      field.defaultValue = members.get(field.name) ?? field.value
    }
  }
}

function learn({ init }: Call, response: Response, text: string): void {
  if (!response.ok || !response.headers.get('Content-Type')?.includes('json')) return
  const answer = JSON.parse(text)
  const members = new Map<string, string>()
  for (const name of carried) if (typeof answer?.[name] === 'string') members.set(name, answer[name])
  if (members.has('upload_url') && typeof init.body === 'string') {
    const request = JSON.parse(init.body)
    announcedSize = Number(request.file_size)
    members.set('file_name', String(request.file_name))
    members.set('Content-Type', String(request.content_type))
  }
  carry(members)
}

/** Reads the body of an answer; of a stream, which has no end, only the first message. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response.text()
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader && !text.includes('\n\n')) {
    const { done, value = '' } = await reader.read()
    text += value
    if (done) break
  }
  await reader?.cancel()
  return text
}

async function send(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button')
  const result = form.parentElement?.querySelector<HTMLElement>('.result')
  if (!result || !button || button.getAttribute('aria-disabled') === 'true') return
  // Not `disabled`, which would take the focus away.
  button.setAttribute('aria-disabled', 'true')
  result.replaceChildren(create('p', 'Waiting for the answer…', { class: 'muted' }))
  try {
    const call = callOf(form)
    const start = performance.now()
    const response = await fetch(call.url, { ...call.init, credentials: 'omit', cache: 'no-store' })
    const text = await readText(response)
    showAnswer(result, response, text, performance.now() - start)
    learn(call, response, text)
  } catch (error) {
    // Browsers hide from pages which of the two happened.
    if (!(error instanceof TypeError)) throw error
    const other = isSameOrigin ? '' : ', or it refuses pages of this origin (CORS)'
    const sentence = `${error.message}. The server does not answer${other}. The browser's console may say more.`
    const message = create('p', ` ${sentence}`)
    message.prepend(create('span', 'No answer', { class: 'badge bad' }))
    result.replaceChildren(message)
  } finally {
    button.removeAttribute('aria-disabled')
  }
}

const target = document.querySelector('#target')
if (target) target.textContent = server
// The key of the example is one of the mock, and other servers have keys that are worth more.
if (chosen !== '' && keyInput) keyInput.defaultValue = ''
document.querySelector('#admin')?.toggleAttribute('hidden', !isSameOrigin)
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-kind]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
