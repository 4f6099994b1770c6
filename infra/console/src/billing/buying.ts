/** The forms that buy, pay and cancel: a file of their own in the bundle. */
export { CancelDialog } from './CancelDialog.tsx'
export { OrderForm } from './OrderForm.tsx'
export { PayPanel } from './PayPanel.tsx'
