import { hasNoBody } from '../../src/contract/http.ts'
import { isObject } from '../../src/contract/json.ts'
import { Random } from '../../src/index.ts'
import { factsOfCall } from '../../src/profile/facts.ts'
import type { Profile } from '../../src/profile/profile.ts'
import { Style } from '../../src/profile/style.ts'
import type { AnswerTemplate } from './contract-profile.ts'
import type { ProfileChange } from './profile-changes.ts'
import { templateOf, templatesOf } from './templates.ts'
import { passedOn, responseLike } from './whole.ts'
import { bodyCalls, bodyOf, callOf, isCall, isServicePath, jsonOf, type Wrapper, wrap } from './wrapper.ts'

/**
 * Answers as a changed profile says. The profile of each answer is made from the answer itself, so that what a mutant adds to
 * it or takes from it stays visible. A body that is no JSON is sent as it is.
 */
export function answerLike(change: ProfileChange): Wrapper {
  const random = new Random('answers')
  /** What the changed profile makes of each template. Most answers of a server have one of a few templates. */
  const styles = new Map<string, Style>()
  const styleOf = (profile: Profile) => {
    const key = JSON.stringify(profile)
    const known = styles.get(key) ?? new Style(change(profile))
    styles.set(key, known)
    return known
  }
  const source = { draw: () => () => random.draw() }
  return wrap(async (request, inner) => {
    const call = callOf(request)
    const asked = isCall(request, ...bodyCalls) ? await bodyOf(request) : undefined
    const response = await inner(request)
    const { ok, status } = response
    const isRefusal = isServicePath(request) && status >= 400 && status < 500 && status !== 429
    if (!isRefusal && !(ok && call)) return response
    const json = await jsonOf(response)
    const root = ok ? '/answer' : '/problem'
    const body = json && (isObject(json) ? templatesOf([json], root) : templateOf([json], root))
    const { 'content-length': _, ...headers } = Object.fromEntries(response.headers)
    const template: AnswerTemplate = { status, headers, ...(body && { body }) }
    const { origin } = new URL(request.url)
    const facts = factsOfCall({ call, status, body: json ?? '', request: asked, base: origin, now: 0 })
    const rendered =
      ok && call
        ? styleOf({ answers: { [call]: template } }).answer(call, facts, source, '')
        : styleOf({ refusals: { refused: template } }).refusal('refused', facts, source)
    if (!rendered) return response
    const sentBody = rendered.body ?? (json ? null : passedOn(response))
    const init = { status: rendered.status, headers: Object.fromEntries(rendered.headers) }
    return responseLike(response, hasNoBody(rendered.status) ? null : sentBody, init)
  })
}
