/** The pages of the user's own account: a file of their own in the bundle. */
export { AccountActivityPage } from './AccountActivityPage.tsx'
export { ProfilePage } from './ProfilePage.tsx'
export { SecurityPage } from './SecurityPage.tsx'
