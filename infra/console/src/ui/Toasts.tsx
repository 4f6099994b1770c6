import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './Icon.tsx'

const SHOWN_MS = 6000
/** With a button: time to read and to reach it. */
const SHOWN_WITH_ACTION_MS = 20_000

/** What a person may do about a message for as long as it is shown: take the change back. */
interface ToastAction {
  readonly label: string
  run(): void
}

/**
 * @param icon by default a check mark, when something has succeeded
 */
type Say = (text: string, icon?: IconName, action?: ToastAction) => void

interface Toast {
  readonly id: number
  readonly text: string
  readonly icon: IconName
  readonly action: ToastAction | undefined
}

const ToastContext = createContext<Say>(() => {})

/** Says that something has succeeded, or not begun, for some seconds, also to screen readers. */
export function useToast(): Say {
  return useContext(ToastContext)
}

/** Shows the messages that its children send with `useToast`. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const next = useRef(0)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())

  const hide = useCallback((id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)), [])
  const say = useCallback<Say>(
    (text, icon = 'check', action) => {
      const id = next.current++
      // One at a time: the user has seen the previous message, or finds it in the page.
      setToasts([{ id, text, icon, action }])
      const timer = setTimeout(
        () => {
          timers.current.delete(timer)
          hide(id)
        },
        action ? SHOWN_WITH_ACTION_MS : SHOWN_MS,
      )
      timers.current.add(timer)
    },
    [hide],
  )

  useEffect(() => {
    const started = timers.current
    return () => {
      for (const timer of started) clearTimeout(timer)
    }
  }, [])

  return (
    <ToastContext value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, icon, action }) => (
          <p key={id} className="toast">
            <Icon name={icon} />
            {text}
            {action && (
              <button
                type="button"
                className="text-button"
                onClick={() => {
                  hide(id)
                  action.run()
                }}
              >
                {action.label}
              </button>
            )}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}
