import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { type Node, operationsOf } from './contract.ts'

/** Returns the files that follow the documented flow in Arazzo, by their paths in `examples/`. Throws for what it cannot translate. */
export function flowFiles(flow: Node, contract: Node, origin: string): Record<string, string> {
  const [workflow] = flow.workflows
  const { summary } = workflow
  const requests = requestsOf(workflow, contract)
  const variables = Object.entries(defaults).map(([name, value]) => `${name}: ${value}`)
  const collection = JSON.stringify({ version: '1', name: summary, type: 'collection' })
  return {
    'k6/flow.js': `// ${origin}\n${k6Script(camelCase(workflow.workflowId), summary, requests)}`,
    'collections/flow.http': `# ${origin}\n${httpFile(requests)}`,
    'collections/postman.json': postmanCollection(summary, origin, requests),
    'collections/bruno/bruno.json': formatted('bruno.json', collection),
    'collections/bruno/environments/mock.bru': block('vars', variables.join('\n')),
    ...Object.fromEntries(
      requests.map((request, place) => [`collections/bruno/${request.id}.bru`, brunoRequest(request, place + 1)]),
    ),
  }
}

/** The values of a running mock. */
const defaults = { baseUrl: 'http://127.0.0.1:4010', apiKey: 'test_demo' }

/** A request of the flow. `{{name}}` in its texts is the value of a variable. */
interface FlowRequest {
  readonly id: string
  readonly description: string
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  readonly checks: readonly Check[]
  /** The variables that its answer gives a value, each with the place in the body. */
  readonly kept: readonly (readonly [variable: string, selector: string])[]
}

/** A success criterion. */
interface Check {
  readonly name: string
  /** The place in the answer's body; undefined for its status. */
  readonly selector?: string
  /** What is there: JavaScript, or a variable. */
  readonly expected: string
  readonly isPattern?: boolean
}

/** How the scripts of a tool read an answer and a variable. */
interface Dialect {
  readonly api: string
  readonly status: string
  readonly body: string
  readonly variables: readonly [get: string, set: string]
}

const postman: Dialect = {
  api: 'pm.',
  status: 'pm.response.code',
  body: 'pm.response.json()',
  variables: ['pm.collectionVariables.get', 'pm.collectionVariables.set'],
}
const bruno: Dialect = { api: '', status: 'res.status', body: 'res.body', variables: ['bru.getVar', 'bru.setVar'] }

function requestsOf(workflow: Node, contract: Node): FlowRequest[] {
  const names = outputNames(workflow)
  return workflow.steps.map((step: Node) => {
    const { stepId: id, description, requestBody, successCriteria, outputs = {} } = step
    const fill = (_: string, value: unknown) => (typeof value === 'string' ? templateOf(value, names) : value)
    const payload = requestBody?.payload
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload, fill, 2)
    const checks = successCriteria.map((criterion: Node) => checkOf(id, criterion, names))
    const kept = Object.entries<string>(outputs).map(([output, source]) => [camelCase(output), selectorOf(source)])
    return { id, description, ...callOf(step, names, contract), ...(body && { body }), checks, kept }
  })
}

/** Returns the checks of a request, and what it keeps of the answer, as JavaScript. */
function scriptOf(
  { checks, kept }: Pick<FlowRequest, 'checks' | 'kept'>,
  { api, status, body, variables: [get, set] }: Dialect,
): string[] {
  return [
    ...checks.map(({ name, selector, expected, isPattern }) => {
      const actual = selector === undefined ? status : body + memberCode(selector)
      const wanted = expected.replace(/^\{\{(\w+)\}\}$/, `${get}("$1")`)
      return `${api}test(${quoted(name)}, () => ${api}expect(${actual}).to.${isPattern ? 'match' : 'equal'}(${wanted}))`
    }),
    ...kept.map(([variable, selector]) => `${set}(${quoted(variable)}, ${body}${memberCode(selector)})`),
  ]
}

/** Returns the access to a member such as `steps.0.name`. */
function memberCode(selector: string): string {
  return selector
    .split('.')
    .map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))
    .join('')
}

/** Writes a collection for Postman, version 2.1. */
function postmanCollection(name: string, description: string, requests: readonly FlowRequest[]): string {
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
  const collection = {
    info: { name, description, schema },
    variable: Object.entries(defaults).map(([key, value]) => ({ key, value })),
    item: requests.map(({ id, description, method, url, headers, body, ...rest }) => ({
      name: id,
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(rest, postman) } }],
      request: {
        ...{ description, method, url, header: headers.map(([key, value]) => ({ key, value })) },
        ...(body !== undefined && { body: { mode: 'raw', raw: body } }),
      },
    })),
  }
  return formatted('postman.json', JSON.stringify(collection, null, 2))
}

/** Writes a request for Bruno. */
function brunoRequest({ id, description, method, url, headers, body, ...rest }: FlowRequest, seq: number): string {
  const kind = body?.startsWith('{') ? 'json' : 'text'
  return [
    block('meta', `name: ${id}\ntype: http\nseq: ${seq}`),
    block(method.toLowerCase(), `url: ${url}\nbody: ${body === undefined ? 'none' : kind}\nauth: none`),
    block('headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ...(body === undefined ? [] : [block(`body:${kind}`, body)]),
    block('tests', scriptOf(rest, bruno).join('\n')),
    block('docs', description),
  ].join('\n')
}

function block(name: string, text: string): string {
  return `${name} {\n${text.replaceAll(/^/gm, '  ')}\n}\n`
}

/** Writes a file for the HTTP client of JetBrains and for httpYac. */
function httpFile(requests: readonly FlowRequest[]): string {
  const variables = Object.entries(defaults).map(([name, value]) => `@${name} = ${value}`)
  const calls = requests.map(({ description, method, url, headers, body, kept }) => {
    const sets = kept.map(
      ([name, selector]) => `client.global.set(${quoted(name)}, response.body${memberCode(selector)})`,
    )
    return [
      `### ${description}\n${method} ${url}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ['', body]),
      ...(sets.length > 0 ? ['', `> {%\n  ${sets.join('\n  ')}\n%}`] : []),
    ].join('\n')
  })
  return `${[variables.join('\n'), ...calls].join('\n\n')}\n`
}

/** Generates a script for k6. */
function k6Script(name: string, summary: string, requests: readonly FlowRequest[]): string {
  return formatted(
    'flow.js',
    `import { check } from 'k6'
import http from 'k6/http'

/** ${summary}. The flags of k6 replace the load: \`k6 run --vus 20 --duration 2m flow.js\`. */
export const options = {
  vus: 5,
  duration: '30s',
  thresholds: {
    checks: ['rate>0.99'],
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500', 'p(99)<1500'],
  },
}

const baseUrl = (__ENV.COUNTERSIGN_URL || 'http://127.0.0.1:4010').replace(/\\/$/, '')
export default function ${name}() {
  // Without a key, each virtual user has a tenant of its own in the mock.
  const apiKey = __ENV.COUNTERSIGN_API_KEY || \`test_k6_\${__VU}\`

${requests.map(k6Request).join('\n\n')}
}
`,
  )
}

/** Returns the variable of each output of a step, by the expression that refers to it. */
function outputNames(workflow: Node): Map<string, string> {
  const names = new Map<string, string>([['$inputs.api_key', 'apiKey']])
  for (const { stepId, outputs = {} } of workflow.steps) {
    for (const output of Object.keys(outputs)) {
      const name = camelCase(output)
      if ([...names.values()].includes(name)) {
        throw new Error(`Two steps have an output '${output}'. Give one of them another name.`)
      }
      names.set(`$steps.${stepId}.outputs.${output}`, name)
    }
  }
  return names
}

function k6Request({ id, description, method, url, headers, body, checks, kept }: FlowRequest): string {
  const answer = `${camelCase(id)}Answer`
  const all = headers.map(([name, value]) => `${quoted(name)}: ${templateCode(value)}`)
  const sent = body?.startsWith('{')
    ? `JSON.stringify(${body.replaceAll(/\n */g, ' ').replaceAll(/"\{\{(\w+)\}\}"/g, '$1')})`
    : body && templateCode(body)
  const [status, ...others] = checks.map(k6Check)
  const contents = others.length > 0 ? ` || !check(${answer}, { ${others.join(', ')} })` : ''
  return [
    `// ${description}`,
    `const ${answer} = http.request(${quoted(method)}, ${templateCode(url)}, ${sent ?? 'null'}, {
      headers: { ${all.join(', ')} },
      redirects: 0,
      tags: { name: ${quoted(id)} },
    })`,
    `if (!check(${answer}, { ${status} })${contents}) return`,
    ...kept.map(([variable, selector]) => `const ${variable} = String(${answer}.json(${quoted(selector)}))`),
  ].join('\n')
}

function k6Check({ name, selector, expected, isPattern }: Check): string {
  if (selector === undefined) return `${quoted(name)}: ({ status }) => status === ${expected}`
  const member = `answer.json(${quoted(selector)})`
  const wanted = expected.replace(/^\{\{(\w+)\}\}$/, '$1')
  return `${quoted(name)}: (answer) => ${isPattern ? `${wanted}.test(String(${member}))` : `${member} === ${wanted}`}`
}

/** Returns the method of a call, and its URL and headers as templates: `{{name}}` is the value of a variable. */
function callOf(step: Node, names: ReadonlyMap<string, string>, contract: Node) {
  const { requestBody } = step
  const headers: [string, string][] = requestBody ? [['Content-Type', requestBody.contentType]] : []
  if (step['x-operation']) {
    const { url, method } = step['x-operation']
    return { method: String(method), url: templateOf(url, names), headers }
  }
  const operation = operationsOf(contract).find(({ operationId }) => operationId === step.operationId)
  if (!operation)
    throw new Error(`The contract has no operation '${step.operationId}'. Correct the step ${step.stepId}.`)
  let path = operation.path
  for (const { name, in: place, value } of step.parameters ?? []) {
    if (place === 'path') path = path.replace(`{${name}}`, templateOf(value, names))
    else if (place === 'header') headers.unshift([name, templateOf(value, names)])
    else
      throw new Error(
        `The step ${step.stepId} has a parameter in '${place}'. Teach scripts/generate-flow.ts to send it.`,
      )
  }
  return { method: operation.method, url: `{{baseUrl}}${path}`, headers }
}

/** Returns a text in which an expression of Arazzo is a template. */
function templateOf(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.startsWith('$')) return text
  const name = names.get(text)
  if (name === undefined) throw new Error(`No earlier step has the output '${text}'. Correct the expression.`)
  return `{{${name}}}`
}

/** Returns a template as JavaScript. */
function templateCode(template: string): string {
  const [, single] = template.match(/^\{\{(\w+)\}\}$/) ?? []
  if (single !== undefined) return single
  return template.includes('{{') ? `\`${template.replaceAll('{{', '${').replaceAll('}}', '}')}\`` : quoted(template)
}

/** Returns a criterion as a named check. */
function checkOf(stepId: string, { condition, context, type }: Node, names: ReadonlyMap<string, string>): Check {
  if (type === 'regex') {
    const selector = selectorOf(context)
    const expected = String(new RegExp(condition))
    return { name: `${stepId}: ${selector} has its form`, selector, expected, isPattern: true }
  }
  const [, actual = '', expected = ''] = condition.match(/^(\S+) == (.*)$/) ?? []
  if (actual === '$statusCode') return { name: `${stepId}: answers ${expected}`, expected }
  if (!actual || type !== undefined)
    throw new Error(`The criterion '${condition}' has an unknown form. Teach scripts/generate-flow.ts to check it.`)
  const selector = selectorOf(actual)
  return { name: `${stepId}: ${selector} is as expected`, selector, expected: templateOf(expected, names) }
}

/** Returns the selector of k6 for an expression such as `$response.body#/steps/0/name`. */
function selectorOf(expression: string): string {
  const [, pointer] = expression.match(/^\$response\.body#\/([\w/]+)$/) ?? []
  if (pointer === undefined)
    throw new Error(`The expression '${expression}' is not part of an answer's body. Use $response.body#/….`)
  return pointer.replaceAll('/', '.')
}

function camelCase(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_, letter) => letter.toUpperCase())
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

/** Formats a file as all others. */
function formatted(name: string, code: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${name}`], {
    input: code,
    encoding: 'utf8',
  })
}
