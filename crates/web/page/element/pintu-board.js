// Importing this module is all that a page needs: it defines the element `<pintu-board>`.

import { PintuBoard } from './element.js';

export { PintuBoard };

if (!customElements.get('pintu-board')) customElements.define('pintu-board', PintuBoard);
