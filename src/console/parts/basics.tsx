import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

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

/** A state as a word, a mark and a colour, so that none of them is needed alone. */
export function Status({ of }: { readonly of: string }) {
  return (
    <span class={`status ${of}`}>
      <span aria-hidden="true">{marks[of] ?? '·'}</span> {of}
    </span>
  )
}

/** The mark of a state, for rows that have no room for the word. */
export function Mark({ of }: { readonly of: string }) {
  return (
    <span class={`status ${of}`}>
      <span aria-hidden="true">{marks[of] ?? '·'}</span>
      <span class="unseen">{of}</span>
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

/** A dialog over the page. The Escape key and its Cancel button close it. */
export function Dialog(props: {
  readonly title: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly onClose: () => void
  /** Resolves to true if the dialog can close. */
  readonly onSubmit: () => Promise<boolean>
  readonly children: ComponentChildren
}) {
  const { title, action, isDangerous = false, onClose, onSubmit, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await onSubmit()) dialog.current?.close()
  }
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <form onSubmit={submit}>
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
      </form>
    </dialog>
  )
}

/** A labelled input. */
export function Field(props: {
  readonly label: string
  readonly value: string | number
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'number' | 'email' | 'password' | 'search'
  readonly min?: number
  readonly max?: number
  readonly step?: number | 'any'
  readonly isRequired?: boolean
  readonly placeholder?: string
}) {
  const { label, value, onInput, type = 'text', min, max, step, isRequired = true, placeholder } = props
  return (
    <label class="field">
      <span>{label}</span>
      <input
        // The types of inputs are a union, of which this is one member.
        type={type as 'text'}
        {...{ value, min, max, step, placeholder, required: isRequired, spellcheck: false }}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  )
}

/** A labelled choice. */
export function Choice<Value extends string>(props: {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly onChange: (value: Value) => void
  readonly isSet?: boolean
}) {
  const { label, value, options, onChange, isSet = false } = props
  return (
    <label class={isSet ? 'field set' : 'field'}>
      <span>{label}</span>
      <select
        value={value}
        onChange={(event) => {
          const { currentTarget } = event
          onChange(currentTarget.value as Value)
          // The page decides what is chosen: a choice that was refused or cancelled is undone.
          currentTarget.value = value
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Says that something could not be loaded, and why. */
export function Failure({ error }: { readonly error: Error }) {
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
