import { type ComponentChildren, type ComponentProps, Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { attemptCalls } from '../live/live.ts'

const marks: Readonly<Record<string, string>> = {
  running: '◐',
  assigned: '◐',
  approved: '✓',
  rejected: '✕',
  waiting: '○',
  skipped: '–',
  requested: '○',
  stored: '◐',
  confirmed: '✓',
  expired: '✕',
}

/** A state as a mark, a colour and a word, so that none of them is needed alone. Rows have no room for the word. */
export function Status({ of, isRow = false }: { readonly of: string; readonly isRow?: boolean }) {
  return (
    <span class={`status ${of}`}>
      <span aria-hidden="true">{marks[of] ?? '·'}</span> {isRow ? <span class="unseen">{of}</span> : of}
    </span>
  )
}

/** An identifier that a click copies. */
export function Copied({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <button type="button" class={children ? '' : 'bare mono'} title="Copy" onClick={copy}>
      {isCopied ? 'Copied' : (children ?? text)}
    </button>
  )
}

/** Names with their values, and the classes of those. */
export function Facts(props: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren, style?: string])[]
  readonly style?: string
}) {
  return (
    <dl class={`facts ${props.style ?? ''}`}>
      {props.of.map(([name, value, style]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd class={style}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** A dialog over the page. The Escape key and its Cancel button close it. */
export function Dialog(props: {
  readonly title: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly onClose?: () => void
  /** Makes calls with what was entered. The dialog closes when they have succeeded. */
  readonly onSubmit: (entered: FormData) => Promise<unknown>
  readonly children: ComponentChildren
}) {
  const { title, action, isDangerous, onClose, onSubmit, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <Form onSubmit={async (entered) => (await attemptCalls(() => onSubmit(entered))) && dialog.current?.close()}>
        <h2>{title}</h2>
        {children}
        <p class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'}>
            {action}
          </button>
        </p>
      </Form>
    </dialog>
  )
}

/** A form whose fields keep what is entered until it is submitted. */
export function Form(props: {
  readonly isHidden?: boolean
  readonly onSubmit: (entered: FormData) => unknown
  readonly children: ComponentChildren
}) {
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    props.onSubmit(new FormData(event.currentTarget))
  }
  return (
    <form hidden={props.isHidden} onSubmit={submit}>
      {props.children}
    </form>
  )
}

/** A labelled input, which must be filled in unless it says otherwise. */
export function Field({ label, ...input }: { readonly label: string } & ComponentProps<'input'>) {
  return (
    <label class="field">
      <span>{label}</span>
      <input required spellcheck={false} {...input} />
    </label>
  )
}

/** A labelled choice. An option is a value with its text, or a value that is its own text. */
export function Choice<Value extends string>(props: {
  readonly label: string
  readonly options: readonly (Value | readonly [value: Value, text: string])[]
  readonly name?: string
  readonly value?: Value
  readonly onChange?: (value: Value) => void
  readonly isSet?: boolean
}) {
  const { label, value, options, name, onChange, isSet } = props
  return (
    <label class={isSet ? 'field set' : 'field'}>
      <span>{label}</span>
      <select
        name={name}
        // Without onChange, it keeps what is chosen itself.
        value={onChange && value}
        onChange={({ currentTarget }) => {
          if (!onChange) return
          onChange(currentTarget.value as Value)
          // The page decides what is chosen: a choice that was refused or cancelled is undone.
          currentTarget.value = value ?? ''
        }}
      >
        {options.map((option) => {
          const [one, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={one} value={one} selected={one === value}>
              {text}
            </option>
          )
        })}
      </select>
    </label>
  )
}

/** Says that something could not be loaded, and why; or, without an error, that it is being loaded. */
export function Pending({ error }: { readonly error: Error | undefined }) {
  if (!error) return <p class="hint">Loading …</p>
  return (
    <p class="failure" role="alert">
      {error.message}
    </p>
  )
}

/** A text that scrolls, also by keyboard. */
export function Scrolled({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, and this is text
    <pre class="text" role="group" aria-label={label} tabIndex={0}>
      {children}
    </pre>
  )
}

/** Saves a file where the browser puts downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
