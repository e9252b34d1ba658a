import type { Degenerate } from './degenerate-server.ts'
import { mapMembers } from './json.ts'
import { reference } from './reference.ts'
import { answering, type Fetch, isServicePath, jsonOf } from './wrapper.ts'

const encoder = new TextEncoder()

/** A body that never ends, for clients that read on. */
const endless = (piece: string) => (): Fetch => async () => {
  const bytes = encoder.encode(piece)
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes),
  })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

/** One byte now and then, for clients that time only the wait for the first one. */
const trickling = (): Fetch => async (request) => {
  let timer: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(' ')), 50)
      request.signal.addEventListener('abort', () => {
        clearInterval(timer)
        controller.error(request.signal.reason)
      })
    },
    cancel: () => clearInterval(timer),
  })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

/** The reference's answers with something added that a careless client would trip over. */
const poisoned = (poison: (body: Record<string, unknown>) => unknown) => (): Fetch => {
  const sound = reference()
  return async (request) => {
    const response = await sound(request)
    const body = isServicePath(request) ? await jsonOf(response) : undefined
    return body ? answering(response, poison(body)) : response
  }
}

const nasty = {
  terminal: '\u001b[2J\u001b[31mred\u001b[0m\u0007\u009b1m\u202etxet',
  markup: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  log: 'text\r\n::error::injected\n]]>--><![CDATA[',
}

const shownTexts = ['name', 'description', 'status', 'detail', 'title', 'message']

/** A member called `__proto__` cannot be written as an object literal. */
const prototypes = (body: Record<string, unknown>) =>
  JSON.parse(
    `{"__proto__":{"success":true,"polluted":true},"constructor":{"prototype":{}},${JSON.stringify(body).slice(1)}`,
  )

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** Servers that mean harm: a run ends in time, shows nothing of theirs raw, and keeps its own wits. */
export const hostile: readonly Degenerate[] = [
  { id: 'endless-body', does: 'Answers with a body that never ends.', create: endless('{"a":'.padEnd(65_536, ' ')) },
  { id: 'trickling-body', does: 'Answers with a byte now and then, for ever.', create: trickling },
  {
    id: 'huge-headers',
    does: 'Answers with a megabyte of headers.',
    create: () => {
      const headers = new Headers({ 'Content-Type': 'application/json' })
      for (let index = 0; index < 64; index += 1) headers.set(`X-Padding-${index}`, 'x'.repeat(16_384))
      return async () => new Response('{}', { headers })
    },
  },
  {
    id: 'deep-json',
    does: 'Answers with JSON nested a hundred thousand levels deep.',
    create: () => async () => new Response(deep(100_000), { headers: { 'Content-Type': 'application/json' } }),
  },
  {
    id: 'wide-json',
    does: 'Answers with two hundred thousand members.',
    create: () => {
      const text = JSON.stringify(Array.from({ length: 200_000 }, () => ({})))
      return async () => new Response(text, { headers: { 'Content-Type': 'application/json' } })
    },
  },
  ...Object.entries(nasty).map(
    ([id, text]): Degenerate => ({
      id: `${id}-in-texts`,
      does: `Shows texts with ${id} sequences in place of what was sent.`,
      create: poisoned((body) =>
        mapMembers(body, (name, value) => [name, shownTexts.includes(name) ? `${value}${text}` : value]),
      ),
    }),
  ),
  {
    id: 'markup-in-names',
    does: 'Shows members whose names are markup and terminal sequences.',
    create: poisoned((body) => ({
      [nasty.markup]: 1,
      [nasty.terminal]: { [nasty.log]: null },
      ...body,
      name: 'other',
    })),
  },
  {
    id: 'proto-members',
    does: 'Shows members called __proto__ and constructor, and loses the key check.',
    create: () => {
      const sound = poisoned(prototypes)()
      return async (request) => {
        const headers = new Headers(request.headers)
        if (isServicePath(request) && !headers.has('Authorization')) headers.set('Authorization', 'test_anybody')
        return sound(new Request(request, { headers }))
      }
    },
  },
  {
    id: 'strange-signatures',
    does: 'Signs upload addresses with thousands of characters that base64 cannot carry.',
    create: poisoned((body) => ({
      ...body,
      ...(body.upload_url !== undefined && { upload_url: `${body.upload_url}&token=${'№📄'.repeat(5000)}` }),
    })),
  },
  {
    id: 'path-names',
    does: 'Names things by paths that lead elsewhere.',
    create: poisoned((body) =>
      mapMembers(body, (name, value) => [
        name,
        /(_id|key)$/.test(name) ? `../../../../tmp/${name}/%2e%2e/..\\${value}` : value,
      ]),
    ),
  },
  {
    id: 'internal-upload-url',
    does: "Sends the upload to an address of the client's own network.",
    create: poisoned((body) => ({
      ...body,
      ...(body.upload_url !== undefined && { upload_url: 'http://169.254.169.254/latest/tenants/x/file.pdf' }),
    })),
  },
]
