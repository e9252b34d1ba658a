import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { type Node, operationsOf } from './contract.ts'

/** Generates a script for k6 from the documented flow in Arazzo. Throws for an expression that it cannot translate. */
export function k6Script(flow: Node, contract: Node): string {
  const [workflow] = flow.workflows
  const outputs = outputNames(workflow)
  const steps = workflow.steps.map((step: Node) => stepCode(step, outputs, contract))
  return formatted(`import { check } from 'k6'
import http from 'k6/http'

/** ${workflow.summary}. The flags of k6 replace the load: \`k6 run --vus 20 --duration 2m flow.js\`. */
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
export default function ${camelCase(workflow.workflowId)}() {
  // Without a key, each virtual user has a tenant of its own in the mock.
  const apiKey = __ENV.COUNTERSIGN_API_KEY || \`test_k6_\${__VU}\`

${steps.join('\n\n')}
}
`)
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

function stepCode(step: Node, names: ReadonlyMap<string, string>, contract: Node): string {
  const { stepId, description, requestBody, successCriteria, outputs = {} } = step
  const answer = `${camelCase(stepId)}Answer`
  const { method, url, headers } = callOf(step, names, contract)
  const type = requestBody?.contentType
  const body = requestBody === undefined ? 'null' : bodyCode(type, requestBody.payload, names)
  const all = type === undefined ? headers : [...headers, `'Content-Type': ${quoted(type)}`]
  const [status, ...others] = successCriteria.map((criterion: Node) => checkCode(stepId, criterion, names))
  const contents = others.length > 0 ? ` || !check(${answer}, { ${others.join(', ')} })` : ''
  const kept = Object.entries<string>(outputs).map(
    ([output, source]) => `const ${camelCase(output)} = String(${answer}.json(${quoted(selectorOf(source))}))`,
  )
  return [
    `// ${description}`,
    `const ${answer} = http.request(${quoted(method)}, ${url}, ${body}, {
      headers: { ${all.join(', ')} },
      redirects: 0,
      tags: { name: ${quoted(stepId)} },
    })`,
    `if (!check(${answer}, { ${status} })${contents}) return`,
    ...kept,
  ].join('\n')
}

/** Returns the method of a call, and its URL and headers as code. */
function callOf(step: Node, names: ReadonlyMap<string, string>, contract: Node) {
  if (step['x-operation']) {
    const { url, method } = step['x-operation']
    return { method, url: valueCode(url, names), headers: [] }
  }
  const operation = operationsOf(contract).find(({ operationId }) => operationId === step.operationId)
  if (!operation)
    throw new Error(`The contract has no operation '${step.operationId}'. Correct the step ${step.stepId}.`)
  let path = operation.path
  const headers: string[] = []
  for (const { name, in: place, value } of step.parameters ?? []) {
    const code = valueCode(value, names)
    if (place === 'path') path = path.replace(`{${name}}`, `\${${code}}`)
    else if (place === 'header') headers.push(`${name}: ${code}`)
    else
      throw new Error(`The step ${step.stepId} has a parameter in '${place}'. Teach scripts/generate-k6.ts to send it.`)
  }
  return { method: operation.method, url: `\`\${baseUrl}${path}\``, headers }
}

function bodyCode(type: string, payload: Node, names: ReadonlyMap<string, string>): string {
  return type === 'application/json' ? `JSON.stringify(${valueCode(payload, names)})` : valueCode(payload, names)
}

/** Returns a value as code: an expression of Arazzo as the variable with its value. */
function valueCode(value: Node, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => valueCode(item, names)).join(', ')}]`
  if (value !== null && typeof value === 'object') {
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${name}: ${valueCode(member, names)}`)
      .join(', ')} }`
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  if (!value.startsWith('$')) return quoted(value)
  const name = names.get(value)
  if (name === undefined) throw new Error(`No earlier step has the output '${value}'. Correct the expression.`)
  return name
}

/** Returns a criterion as a named check. */
function checkCode(stepId: string, criterion: Node, names: ReadonlyMap<string, string>): string {
  const { condition, context, type } = criterion
  if (type === 'regex') {
    const selector = selectorOf(context)
    const name = `${stepId}: ${selector} has its form`
    return `${quoted(name)}: (answer) => ${new RegExp(condition)}.test(String(answer.json(${quoted(selector)})))`
  }
  const [, actual = '', expected = ''] = condition.match(/^(\S+) == (.*)$/) ?? []
  if (actual === '$statusCode')
    return `${quoted(`${stepId}: answers ${expected}`)}: ({ status }) => status === ${expected}`
  if (!actual || type !== undefined)
    throw new Error(`The criterion '${condition}' has an unknown form. Teach scripts/generate-k6.ts to check it.`)
  const selector = selectorOf(actual)
  const value = expected.startsWith('$') ? valueCode(expected, names) : expected
  const name = `${stepId}: ${selector} is as expected`
  return `${quoted(name)}: (answer) => answer.json(${quoted(selector)}) === ${value}`
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

/** Formats JavaScript as all other files. */
function formatted(code: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  return execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=flow.js'], {
    input: code,
    encoding: 'utf8',
  })
}
