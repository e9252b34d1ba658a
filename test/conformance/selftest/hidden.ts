/** Mutants that no check notices under some variants, because the variant hides the fault. */
interface Hidden {
  readonly mutants: readonly string[]
  /** Values of axes, each of which hides each of the mutants. */
  readonly choices: readonly string[]
  /** The way in which the variant hides the fault, or the thing that a client confuses it with. */
  readonly reason: string
}

/** The gate runs pairs of these rows, every week all, and fails if one of them is noticed, so that no row outlives its reason. */
const hidden: readonly Hidden[] = [
  {
    mutants: [
      'open-createWorkflow',
      'open-getWorkflow',
      'open-executeWorkflow',
      'open-requestUpload',
      'open-confirmUpload',
      'open-everywhere',
      'only-x-api-key',
    ],
    choices: ['check-order=key-first'],
    reason: 'The variant refuses a call without a key before the mutant sees it.',
  },
  {
    mutants: ['open-executeWorkflow', 'open-confirmUpload'],
    choices: ['check-order=validation-first'],
    reason: 'The variant validates what the call names before it looks at the key.',
  },
  {
    mutants: ['url-called-camel', 'session-called-camel'],
    choices: ['field-case=snake'],
    reason: 'The variant renames the member back.',
  },
  {
    mutants: ['name-limit-101', 'name-limit-128', 'name-limit-255', 'name-limit-lost', 'name-cut-to-100'],
    choices: ['name-units=utf16'],
    reason: 'The variant refuses names over 100 units itself.',
  },
  {
    mutants: [
      'lives-under-api-v2',
      'lives-under-api',
      'lives-under-v1',
      'lives-under-api-V1',
      'lives-under-service-api-v1',
    ],
    choices: ['error-status=unknown-403'],
    reason: 'An unknown path that answers 403 looks like a key that has no access.',
  },
  {
    mutants: ['key-refused-by-executeWorkflow', 'missing-executeWorkflow', 'slash-executeWorkflow', 'document-unknown'],
    choices: [
      'document-id=session-id',
      'document-id=session-id-204',
      'document-id=any-string',
      'document-id=id',
      'document-id=serial',
      'envelope=json-api',
    ],
    reason: 'The identifier of the document was guessed, so a refused execution may be due to the guess.',
  },
  {
    mutants: ['shown-for-two-documents'],
    choices: ['timing=execution-queued'],
    reason: 'An execution that comes later need not show the document that was sent.',
  },
  {
    mutants: ['shown-for-another-document'],
    choices: [
      'document-id=session-id',
      'document-id=session-id-204',
      'document-id=any-string',
      'document-id=id',
      'document-id=serial',
      'envelope=json-api',
    ],
    reason: 'The identifier of the document was guessed, so another one may be the right one.',
  },
  {
    mutants: [
      ...['details-lacks-execution-metrics', 'details-empties-execution-metrics', 'details-blanks-execution-metrics'],
      ...['details-denies-execution-metrics', 'details-lose-execution-metrics', 'details-lacks-step-performance'],
      ...['details-empties-step-performance', 'details-blanks-step-performance', 'details-denies-step-performance'],
      'details-lose-step-performance',
    ],
    choices: ['details=by-identifier'],
    reason: 'Another part of the details may be the figures under an unknown name.',
  },
  {
    mutants: ['confirm-shows-key-otherwise'],
    choices: ['storage-key=url-only'],
    reason: 'The upload answer has no key to compare with.',
  },
  {
    mutants: ['page-for-confirmUpload'],
    choices: ['document-id=session-id-204'],
    reason: 'The variant answers without a body.',
  },
  {
    mutants: [
      'put-body-ok',
      'put-body-empty-object',
      'put-body-space',
      'put-body-newline',
      'put-body-carriage-return',
      'put-body-null',
      'put-body-byte-order-mark',
      'put-body-xml',
      'put-body-page',
    ],
    choices: ['put-body=length-0'],
    reason: 'The variant removes the body of the answer.',
  },
  {
    mutants: ['upload-echoes-other-file-name'],
    choices: ['storage-key=files-list'],
    reason: 'The variant writes the file name anew, from the request.',
  },
  {
    mutants: ['only-bearer', 'only-api-key-scheme', 'only-token-scheme', 'only-basic-scheme', 'only-x-api-key'],
    choices: ['error-status=all-400', 'error-status=unauthorized-400'],
    reason: 'A refused key answers 400, as an invalid body does, and no call succeeds. The run ends undecided.',
  },
  {
    mutants: ['lives-under-api-v2', 'lives-under-v1', 'lives-under-api-V1', 'lives-under-service-api-v1'],
    choices: ['error-status=all-400'],
    reason: 'An unknown path answers 400, as an invalid body does, and no call succeeds. The run ends undecided.',
  },
  {
    mutants: [
      'details-blanks-optimization-recommendations',
      'details-denies-optimization-recommendations',
      'details-empties-optimization-recommendations',
      'details-lacks-optimization-recommendations',
      'details-lose-optimization-recommendations',
    ],
    choices: ['details=insights', 'details=steps-in-names'],
    reason: 'What else is there may be recommendations. The check is undecided, and names the locator to set.',
  },
  {
    mutants: ['executions-linked-and-for-another-document'],
    choices: [
      'document-id=any-string',
      'document-id=serial',
      'document-id=session-id',
      'document-id=session-id-204',
      'document-id=upload-answer',
      'document-id=upload-answer-204',
    ],
    reason: 'No answer names the identifier of the document, so nothing can be compared with it.',
  },
  {
    mutants: ['only-first-document'],
    choices: ['document-id=any-string'],
    reason: 'The identifier of the document was guessed, so a refused execution may be due to the guess.',
  },
  {
    mutants: ['starts-nothing'],
    choices: ['document-id=any-string'],
    reason:
      'The variant starts the execution for the unknown document that the mutant names in the place of the sent one.',
  },
  {
    mutants: ['parallel-steps-in-pairs'],
    choices: [
      'decisions=all-at-once',
      'decisions=one-by-one',
      'step-times=exact',
      'step-times=in-minutes',
      'step-times=queued',
    ],
    reason: 'No step is seen to take over from another, so none is proven to wait.',
  },
  {
    mutants: ['approver-from-outside'],
    choices: ['timing=execution-queued'],
    reason: 'The answer to executing, which the mutant changes, has no approvers yet.',
  },
  {
    mutants: ['details-of-second-lack-execution-metrics'],
    choices: ['workflow-id=serial'],
    reason: 'The variant has no identifier at the place where the mutant looks for that of the second workflow.',
  },
  {
    mutants: ['size-of-one-block', 'size-shown-otherwise'],
    choices: ['storage-key=by-file-name'],
    reason: 'The variant has no size at the place where the mutant changes it.',
  },
  {
    mutants: ['open-executeWorkflow'],
    choices: ['storage-key=by-file-name'],
    reason: 'The call without the key names a document whose identifier was guessed, and is refused for that.',
  },
  {
    mutants: ['open-confirmUpload'],
    choices: ['storage-key=by-file-name'],
    reason: 'Success without the key is not recognized in an answer whose members are called by file names.',
  },
  {
    mutants: ['confirm-needs-second-call', 'confirm-refuses-unusual-name', 'gone-with-second-execution'],
    choices: ['error-status=code-in-head'],
    reason: 'A refusal has the status 200 here, and is not told from an answer that shows less or comes later.',
  },
  {
    mutants: ['steps-always-in-order', 'steps-in-order-for-ever'],
    choices: ['decisions=all-at-once', 'step-times=exact', 'step-times=in-minutes', 'step-times=queued'],
    reason: 'The steps are decided faster than they are read, so no step is seen to take over from another.',
  },
  {
    mutants: ['put-at-service-path'],
    choices: ['storage-url=bucket-path', 'storage-url=opaque', 'storage-url=other-port', 'storage-url=virtual-host'],
    reason: 'The variant rewrites the address that the mutant changes.',
  },
]

/** Each mutant with each variant that hides it. */
export const hiddenPairs = hidden.flatMap(({ mutants, choices, reason }) =>
  mutants.flatMap((mutant) => choices.map((choice) => ({ mutant, choice, reason }))),
)
