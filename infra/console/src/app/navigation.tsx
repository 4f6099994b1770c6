import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import { pathOf, type Route, routeOf } from './route.ts'

const NAVIGATED = 'console:navigated'

const base = () => new URL(document.baseURI).pathname

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  addEventListener(NAVIGATED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(NAVIGATED, listener)
  }
}

/** The path below the console's base, as the address bar has it. */
function currentPath(): string {
  return location.pathname.startsWith(base()) ? location.pathname.slice(base().length) : ''
}

/** The route of the address bar. */
export function useRoute(): Route {
  return routeOf(useSyncExternalStore(subscribe, currentPath))
}

/** An address of the console, absolute. */
export function addressOf(route: Route): string {
  return base() + pathOf(route)
}

/** Shows another page. `replace`: the page before it is not left in the browser's history. */
export function navigate(to: Route | string, replace = false): void {
  const address = typeof to === 'string' ? to : addressOf(to)
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  dispatchEvent(new Event(NAVIGATED))
}

interface LinkProps {
  readonly to: Route
  readonly children: ReactNode
  readonly className?: string
  /** It leads to the page that is shown. */
  readonly current?: boolean
  readonly onNavigate?: () => void
  /** For screen readers, if the text says too little. */
  readonly label?: string | undefined
}

/** A link within the console, which can be opened in another tab as every link can. */
export function Link({ to, children, className, current = false, onNavigate, label }: LinkProps) {
  function follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onNavigate?.()
    if (!current) navigate(to)
  }
  return (
    <a
      href={addressOf(to)}
      className={className}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
      onClick={follow}
    >
      {children}
    </a>
  )
}
