import type { ReactNode } from 'react'
import { Avatar } from '../ui/Avatar.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'

interface RowProps {
  readonly icon?: IconName
  /** In place of an icon: whose first letter is drawn. */
  readonly person?: string
  readonly title: string
  /** Beside the title. */
  readonly badges?: ReactNode
  /** At the right, before the actions. */
  readonly price?: string
  readonly actions?: ReactNode
  /** The reason why an action failed. */
  readonly error?: unknown
  /** Below all of it, such as a form or the question of an action. */
  readonly more?: ReactNode
  /** Further facts, below the title. */
  readonly children?: ReactNode
}

/** An item of a list with its actions. */
export function Row({ icon, person, title, badges, price, actions, error, more, children }: RowProps) {
  return (
    <li className={price === undefined ? 'row' : 'row offer'}>
      {icon !== undefined && (
        <span className="row-icon">
          <Icon name={icon} />
        </span>
      )}
      {person !== undefined && <Avatar name={person} />}
      <div className="row-text">
        <h3>
          {title} {badges}
        </h3>
        {children}
      </div>
      {price !== undefined && <p className="row-price">{price}</p>}
      {actions && <div className="row-actions">{actions}</div>}
      {error !== undefined && (
        <div className="row-more">
          <ErrorNotice error={error} />
        </div>
      )}
      {more}
    </li>
  )
}
