import { changeAt, changeValues } from './json.ts'
import { reference } from './reference.ts'
import {
  changeHeaders,
  changeRequest,
  changeResponse,
  inChunks,
  isServicePath,
  jsonOf,
  type Members,
  type ServerFunction,
} from './wrapper.ts'

/** A server that is not a deployment of the API at all. A run against it must never conform. */
export interface Degenerate {
  readonly id: string
  /** Describes its behaviour in one sentence. */
  readonly does: string
  create(): ServerFunction
}

export type DegenerateRow = readonly [id: string, does: string, create: () => ServerFunction]

export const degeneratesOf = (rows: readonly DegenerateRow[]): readonly Degenerate[] =>
  rows.map(([id, does, create]) => ({ id, does, create }))

const encoder = new TextEncoder()

/** Answers every request with a body that is said to be JSON. */
const always = (create: (request: Request) => BodyInit) => (): ServerFunction => async (request) =>
  new Response(create(request), { headers: { 'Content-Type': 'application/json' } })

/** Answers with a body that never ends, for clients without a size limit. */
const endless = always(() => {
  const bytes = encoder.encode('{"a":'.padEnd(65_536, ' '))
  return new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(bytes) })
})

/** Answers with a byte every 50 ms, for clients whose timeout ends with the first byte. */
const trickle = always(({ signal }) => {
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(' ')), 50)
      signal.addEventListener('abort', () => {
        clearInterval(timer)
        controller.error(signal.reason)
      })
    },
    cancel: () => clearInterval(timer),
  })
})

/** Changes the reference's answers. `answer` is their number. */
const changed =
  (change: (response: Response, answer: number) => Response | Promise<Response>) => (): ServerFunction => {
    const sound = reference()
    let answers = 0
    return async (request) => {
      const response = await sound(request)
      if (!isServicePath(request)) return response
      answers += 1
      return change(response, answers)
    }
  }

/** Adds something harmful to the reference's answers. */
const poison = (harm: (body: Members) => unknown) =>
  changed(async (response) => {
    const body = await jsonOf(response)
    return body ? changeResponse(response, harm(body)) : response
  })

const nasty = {
  terminal: '\u001b[2J\u001b[31mred\u001b[0m\u0007\u009b1m\u202etxet',
  markup: '<script>alert(1)</script><img src=x onerror=alert(1)>',
  log: 'text\r\n::error::injected\n]]>--><![CDATA[',
}

const shownTexts = ['name', 'description', 'status', 'detail', 'title', 'message']

/** Adds `__proto__` by parsing JSON, since an object literal would set the prototype. */
const prototypes = (body: Record<string, unknown>) =>
  JSON.parse(
    `{"__proto__":{"success":true,"polluted":true},"constructor":{"prototype":{}},${JSON.stringify(body).slice(1)}`,
  )

/** Appends the JSON text of a member to the reference's answers, such as `"links":[…]`. */
const addMember = (member: (answer: number) => string) =>
  changed(async (response, answer) => {
    const text = await response.text()
    const longer = text.startsWith('{') ? `${text.slice(0, -1)},${member(answer)}}` : text
    return changeHeaders(new Response(longer || null, response), (headers) => headers.delete('Content-Length'))
  })

/** Lists what `create` makes of the numbers of one answer, which are not those of another. */
const listOf = (length: number, answer: number, create: (number: number) => string) =>
  Array.from({ length }, (_, index) => create(answer * length + index))

/** Returns a different text for each number. */
const toNumberedText = (number: number, length: number) => number.toString(36).padStart(length, '0')

/** Adds a URL with `count` new signatures to each answer. */
const addSignatures = (count: number) =>
  addMember((answer) => {
    const signatures = listOf(count, answer, (number) => `sig=${toNumberedText(number, 16)}`)
    return `"link":"https://files.example/?${signatures.join('&')}"`
  })

/** Sends the reference's answers in chunks of `size` bytes. */
const sendInPieces = (size: number) => (): ServerFunction => {
  const sound = reference()
  return async (request) => {
    const response = await sound(request)
    return response.body === null ? response : inChunks(response, size)
  }
}

/** Servers that try to harm the suite. A run must end in time, escape their texts, and reach its own verdict. */
export const hostile = degeneratesOf([
  ['endless-body', 'Answers with a body that never ends.', endless],
  ['trickling-body', 'Answers with a byte every 50 ms, without end.', trickle],
  [
    'huge-headers',
    'Answers with a megabyte of headers.',
    () => {
      const headers = new Headers({ 'Content-Type': 'application/json' })
      for (let index = 0; index < 64; index += 1) headers.set(`X-Padding-${index}`, 'x'.repeat(16_384))
      return async () => new Response('{}', { headers })
    },
  ],
  [
    'deep-json',
    'Answers with JSON nested a hundred thousand levels deep.',
    always(() => '['.repeat(100_000) + ']'.repeat(100_000)),
  ],
  ['wide-json', 'Answers with two hundred thousand members.', always(() => `[${'{},'.repeat(199_999)}{}]`)],
  ...Object.entries(nasty).map(
    ([id, text]): DegenerateRow => [
      `${id}-in-texts`,
      `Shows texts with ${id} sequences in place of what was sent.`,
      poison(changeValues((name, value) => (shownTexts.includes(name) ? `${value}${text}` : value))),
    ],
  ),
  [
    'markup-in-names',
    'Shows members whose names are markup and terminal sequences.',
    poison((body) => ({
      [nasty.markup]: 1,
      [nasty.terminal]: { [nasty.log]: null },
      ...body,
      name: 'other',
    })),
  ],
  [
    'proto-members',
    'Shows members called __proto__ and constructor, and does not check the key.',
    () => {
      const sound = poison(prototypes)()
      return async (request) => {
        const isOpen = isServicePath(request) && !request.headers.has('Authorization')
        return sound(isOpen ? await changeRequest(request, { headers: { Authorization: 'test_anybody' } }) : request)
      }
    },
  ],
  [
    'strange-signatures',
    'Signs upload URLs with thousands of characters outside of Latin-1.',
    poison(changeAt('upload_url', (url) => `${url}&token=${'№📄'.repeat(5000)}`)),
  ],
  [
    'path-names',
    'Uses paths with .. as identifiers and keys.',
    poison(
      changeValues((name, value) => (/(_id|key)$/.test(name) ? `../../../../tmp/${name}/%2e%2e/..\\${value}` : value)),
    ),
  ],
  [
    'internal-upload-url',
    "Names an upload URL in the client's own network.",
    poison(changeAt('upload_url', () => 'http://169.254.169.254/latest/tenants/x/file.pdf')),
  ],
  [
    'many-headers',
    'Answers with 10,000 headers.',
    changed((response) =>
      changeHeaders(response, (headers) => {
        for (let index = 0; index < 10_000; index += 1) headers.set(`X-${index}`, 'x')
      }),
    ),
  ],
  ['empty-pieces', 'Answers with empty chunks, without end.', sendInPieces(0)],
])

/** Sound servers that add content whose processing can take a client very long. */
export const exhaustingServers = degeneratesOf([
  ...[500, 1500, 40_000].map(
    (count): DegenerateRow => [
      `${count}-signatures`,
      `Shows a URL with ${count} new signatures in each answer.`,
      addSignatures(count),
    ],
  ),
  [
    'many-addresses',
    `Shows 10,000 new signed URLs in each answer.`,
    addMember((answer) => {
      const address = (number: number) => `"https://a.example/?sig=${toNumberedText(number, 32)}"`
      return `"links":[${listOf(10_000, answer, address)}]`
    }),
  ],
  [
    'nested-lists',
    `Shows 400 levels of objects with a hundred members each.`,
    addMember(() => {
      const members = listOf(100, 0, (number) => `"id${number}":${number}`)
      return `"list":${`{${members},"list":`.repeat(400)}null${'}'.repeat(400)}`
    }),
  ],
  [
    'many-identifiers',
    `Shows 100,000 texts that could be identifiers in each answer.`,
    addMember(() => `"ids":[${listOf(100_000, 0, (number) => `"${toNumberedText(number, 5)}"`)}]`),
  ],
  [
    'many-objects',
    `Shows 4500 objects with ids at the beginning of each answer.`,
    poison((body) => ({
      data: Array.from({ length: 4500 }, (_, index) => ({ id: toNumberedText(index, 12), status: 'running' })),
      ...body,
    })),
  ],
  [
    'huge-numbers',
    `Shows numbers of up to 300,000 digits in each answer.`,
    addMember(
      () =>
        `"count":${'9'.repeat(300_000)},"total":1${'0'.repeat(300_000)}.5,"list":[${'12345678901234567890,'.repeat(10_000)}1]`,
    ),
  ],
  ['one-byte-pieces', 'Answers correctly, in chunks of one byte.', sendInPieces(1)],
])
