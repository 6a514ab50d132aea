// What TypeScript knows of the element; the class itself is described by the types made from its source.

import { PintuBoard, type MoveDetail, type SolvedDetail } from './types/element/element.js';

export { PintuBoard };
export type { By, Engine, MoveDetail, SolvedDetail } from './types/element/element.js';

export interface PintuBoardEventMap extends HTMLElementEventMap {
  move: CustomEvent<MoveDetail>;
  solved: CustomEvent<SolvedDetail>;
}

declare module './types/element/element.js' {
  interface PintuBoard {
    addEventListener<K extends keyof PintuBoardEventMap>(
      type: K,
      listener: (this: PintuBoard, event: PintuBoardEventMap[K]) => unknown,
      options?: boolean | AddEventListenerOptions,
    ): void;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pintu-board': PintuBoard;
  }
}
