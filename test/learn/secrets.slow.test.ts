import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { learnedContract, readContract, toYaml } from '../../src/learn/contract.ts'
import { escapings, packings, runsIn } from '../support/encodings.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { learned as learn } from './lessons.ts'

const apiKey = 'test_cAnArY+/=&<>"Zz9~qT4x%K'
const token = 'tOkEn-8f3b5d7a9c1e2046'
const encodings = nonEmpty([...escapings, ...packings])

/** Creates a sound service whose answers have a constant credential, and repeat the key in every encoding. */
function createIndiscreet() {
  const { fetch } = createMock({ approvers: 'instant' })
  return async (request: Request) => {
    const key = request.headers.get('authorization') ?? ''
    const response = await fetch(request)
    const headers = new Headers(response.headers)
    headers.set('X-Auth-Token', token)
    headers.set('X-Caller', key)
    headers.set('X-Version', '7')
    if (!headers.get('content-type')?.includes('json')) return new Response(response.body, { ...response, headers })
    const echo = encodings.map(({ write }) => write(key)).join(' | ')
    const body = { ...(await response.json()), echo, [`caller ${key}`]: 1, same_token: token }
    return new Response(JSON.stringify(body), { status: response.status, headers })
  }
}

test('no file that is learned has the key, or a credential of the answers', async () => {
  const learned = await learn(createIndiscreet(), { apiKey, gaps: false })
  const { overlay, contract } = learnedContract(await readContract(), learned.profile, learned.lesson)
  const files = {
    'overlay.yaml': await toYaml(overlay),
    'openapi.yaml': await toYaml(contract),
    'session.har': JSON.stringify(learned.session),
    'profile.json': JSON.stringify(learned.profile),
    'what is printed': JSON.stringify({ ...learned, session: undefined }),
  }
  for (const [file, text] of nonEmpty(Object.entries(files))) {
    const texts = [text, text.replaceAll(/\\(["\\/])/g, '$1')]
    const leaks = encodings.flatMap(({ name, read }) =>
      texts
        .map(read)
        .flatMap((plain) => [apiKey.slice(5), token].flatMap((secret) => runsIn(plain, secret)))
        .map((run) => `${run}, ${name}`),
    )
    expect({ file, leaks }).toEqual({ file, leaks: [] })
  }
  expect(files['profile.json']).toContain('x-version')
  expect(files['profile.json']).not.toContain('x-auth-token')
  expect(learned.leftOutHeaders).toEqual(['x-auth-token'])
  expect(learned.profile.approvers).toBe('instant')
})
