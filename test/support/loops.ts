import ts from 'typescript'

/** A loop over a list that may be empty, so that the test may assert nothing. */
export interface OpenLoop {
  readonly line: number
  readonly list: string
}

/**
 * Finds `for … of` with expectations, `test.each` and `describe.each` over lists that are not known to have items.
 * Lists that a property (`fc.property`, or `always` around one) draws may be empty.
 */
export function openLoops(text: string): OpenLoop[] {
  const source = ts.createSourceFile('some.test.ts', text, ts.ScriptTarget.Latest, true)
  const named = new Set<string>()
  const found: OpenLoop[] = []

  const hasItems = (list: ts.Expression): boolean => {
    if (ts.isAsExpression(list) || ts.isParenthesizedExpression(list)) return hasItems(list.expression)
    if (ts.isArrayLiteralExpression(list)) {
      return list.elements.some((item) => !ts.isSpreadElement(item) || hasItems(item.expression))
    }
    if (ts.isIdentifier(list)) return named.has(list.text)
    return ts.isCallExpression(list) && ['nonEmpty', 'Array.from'].includes(list.expression.getText())
  }
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && hasItems(node.initializer)) named.add(node.name.getText())
    const list = listOf(node)
    if (list && !hasItems(list)) {
      const { line } = source.getLineAndCharacterOfPosition(list.getStart())
      found.push({ line: line + 1, list: list.getText() })
    }
    const isProperty = ts.isCallExpression(node) && /^(fc\.\w+|always)$/.test(node.expression.getText())
    if (!isProperty) node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** Returns the list of a loop with expectations or tests; undefined for any other node. */
function listOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isForOfStatement(node)) return /\bexpect\(/.test(node.statement.getText()) ? node.expression : undefined
  if (!ts.isCallExpression(node)) return undefined
  return /^(test|describe)\b.*\.(each|for)$/s.test(node.expression.getText()) ? node.arguments[0] : undefined
}
