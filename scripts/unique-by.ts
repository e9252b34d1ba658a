import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv'

/**
 * `x-unique-by: NAME` on an array: no two items have the same string as their member NAME. JSON Schema has no keyword for
 * this. The rule is in the contract so that its violations are reported together with all others.
 */
export const uniqueBy: CodeKeywordDefinition = {
  keyword: 'x-unique-by',
  type: 'array',
  schemaType: 'string',
  error: {
    message: ({ schemaCode }) => _`"must have no two items with the same " + ${schemaCode}`,
    params: ({ schemaCode }) => _`{ member: ${schemaCode} }`,
  },
  code(cxt: KeywordCxt) {
    const { gen, data, schema } = cxt
    const values = gen.const(
      'values',
      _`${data}.map((item) => item?.[${schema}]).filter((value) => typeof value == "string")`,
    )
    cxt.fail(_`new Set(${values}).size < ${values}.length`)
  },
}
