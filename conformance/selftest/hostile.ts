import type { Degenerate } from './degenerate-server.ts'
import { mapMembers } from './json.ts'
import { reference } from './reference.ts'
import { changeRequest, changeResponse, isServicePath, jsonOf, type ServerFunction } from './wrapper.ts'

const encoder = new TextEncoder()

/** Answers with a body that never ends, for clients without a size limit. */
const endless = (piece: string) => (): ServerFunction => async () => {
  const bytes = encoder.encode(piece)
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes),
  })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

/** Answers with a byte every 50 ms, for clients whose timeout ends with the first byte. */
const trickle = (): ServerFunction => async (request) => {
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

/** Adds something harmful to the reference's answers. */
const poison = (poison: (body: Record<string, unknown>) => unknown) => (): ServerFunction => {
  const sound = reference()
  return async (request) => {
    const response = await sound(request)
    const body = isServicePath(request) ? await jsonOf(response) : undefined
    return body ? changeResponse(response, poison(body)) : response
  }
}

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
const addMember = (member: (answer: number) => string) => (): ServerFunction => {
  const sound = reference()
  let answers = 0
  return async (request) => {
    const response = await sound(request)
    const text = await response.text()
    if (!isServicePath(request) || !text.startsWith('{')) return new Response(text || null, response)
    answers += 1
    const headers = new Headers(response.headers)
    headers.delete('Content-Length')
    return new Response(`${text.slice(0, -1)},${member(answers)}}`, { status: response.status, headers })
  }
}

/** Returns a different text for each number. */
const toNumberedText = (number: number, length: number) => number.toString(36).padStart(length, '0')

/** Adds a URL with `count` new signatures to each answer. */
const addSignatures = (count: number) =>
  addMember((answer) => {
    const signature = (_: unknown, index: number) => `sig=${toNumberedText(answer * count + index, 16)}`
    return `"link":"https://files.example/?${Array.from({ length: count }, signature).join('&')}"`
  })

/** Sends the reference's answers in chunks of `size` bytes. */
const sendInPieces = (size: number) => (): ServerFunction => {
  const sound = reference()
  return async (request) => {
    const response = await sound(request)
    const bytes = new Uint8Array(await response.arrayBuffer())
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
        if (size > 0 && at >= bytes.length) controller.close()
      },
    })
    return new Response(response.body === null ? null : body, response)
  }
}

function nestArrays(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

/** Servers that try to harm the suite. A run must end in time, escape their texts, and reach its own verdict. */
export const hostile: readonly Degenerate[] = [
  { id: 'endless-body', does: 'Answers with a body that never ends.', create: endless('{"a":'.padEnd(65_536, ' ')) },
  { id: 'trickling-body', does: 'Answers with a byte every 50 ms, without end.', create: trickle },
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
    create: () => async () => new Response(nestArrays(100_000), { headers: { 'Content-Type': 'application/json' } }),
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
      create: poison((body) =>
        mapMembers(body, (name, value) => [name, shownTexts.includes(name) ? `${value}${text}` : value]),
      ),
    }),
  ),
  {
    id: 'markup-in-names',
    does: 'Shows members whose names are markup and terminal sequences.',
    create: poison((body) => ({
      [nasty.markup]: 1,
      [nasty.terminal]: { [nasty.log]: null },
      ...body,
      name: 'other',
    })),
  },
  {
    id: 'proto-members',
    does: 'Shows members called __proto__ and constructor, and does not check the key.',
    create: () => {
      const sound = poison(prototypes)()
      return async (request) => {
        const isOpen = isServicePath(request) && !request.headers.has('Authorization')
        return sound(isOpen ? await changeRequest(request, { headers: { Authorization: 'test_anybody' } }) : request)
      }
    },
  },
  {
    id: 'strange-signatures',
    does: 'Signs upload URLs with thousands of characters outside of Latin-1.',
    create: poison((body) => ({
      ...body,
      ...(body.upload_url !== undefined && { upload_url: `${body.upload_url}&token=${'№📄'.repeat(5000)}` }),
    })),
  },
  {
    id: 'path-names',
    does: 'Uses paths with .. as identifiers and keys.',
    create: poison((body) =>
      mapMembers(body, (name, value) => [
        name,
        /(_id|key)$/.test(name) ? `../../../../tmp/${name}/%2e%2e/..\\${value}` : value,
      ]),
    ),
  },
  {
    id: 'internal-upload-url',
    does: "Names an upload URL in the client's own network.",
    create: poison((body) => ({
      ...body,
      ...(body.upload_url !== undefined && { upload_url: 'http://169.254.169.254/latest/tenants/x/file.pdf' }),
    })),
  },
  {
    id: 'many-headers',
    does: 'Answers with 10,000 headers.',
    create: () => {
      const sound = reference()
      return async (request) => {
        const response = await sound(request)
        const headers = new Headers(response.headers)
        for (let index = 0; index < 10_000; index += 1) headers.set(`X-${index}`, 'x')
        return new Response(response.body, { status: response.status, headers })
      }
    },
  },
  { id: 'empty-pieces', does: 'Answers with empty chunks, without end.', create: sendInPieces(0) },
]

const signatureCounts = { '500-signatures': 500, '1500-signatures': 1500, '40000-signatures': 40_000 }

/** Sound servers that add content whose processing can take a client very long. */
export const exhaustingServers: readonly Degenerate[] = [
  ...Object.entries(signatureCounts).map(
    ([id, count]): Degenerate => ({
      id,
      does: `Shows a URL with ${count} new signatures in each answer.`,
      create: addSignatures(count),
    }),
  ),
  {
    id: 'many-addresses',
    does: `Shows 10,000 new signed URLs in each answer.`,
    create: addMember((answer) => {
      const length = 10_000
      const address = (_: unknown, index: number) =>
        `"https://a.example/?sig=${toNumberedText(answer * length + index, 32)}"`
      return `"links":[${Array.from({ length }, address).join()}]`
    }),
  },
  {
    id: 'nested-lists',
    does: `Shows 400 levels of objects with a hundred members each.`,
    create: addMember(() => {
      const members = Array.from({ length: 100 }, (_, index) => `"id${index}":${index}`).join()
      return `"list":${`{${members},"list":`.repeat(400)}null${'}'.repeat(400)}`
    }),
  },
  {
    id: 'many-identifiers',
    does: `Shows 100,000 texts that could be identifiers in each answer.`,
    create: addMember(
      () => `"ids":[${Array.from({ length: 100_000 }, (_, index) => `"${toNumberedText(index, 5)}"`).join()}]`,
    ),
  },
  {
    id: 'many-objects',
    does: `Shows 4500 objects with ids at the beginning of each answer.`,
    create: poison((body) => ({
      data: Array.from({ length: 4500 }, (_, index) => ({ id: toNumberedText(index, 12), status: 'running' })),
      ...body,
    })),
  },
  {
    id: 'huge-numbers',
    does: `Shows numbers of up to 300,000 digits in each answer.`,
    create: addMember(
      () =>
        `"count":${'9'.repeat(300_000)},"total":1${'0'.repeat(300_000)}.5,"list":[${'12345678901234567890,'.repeat(10_000)}1]`,
    ),
  },
  { id: 'one-byte-pieces', does: 'Answers correctly, in chunks of one byte.', create: sendInPieces(1) },
]
