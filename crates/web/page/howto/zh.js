// 玩法说明的中文文字。

export default {
  'howto.title': '玩法',
  'howto.shuffle': '先打乱，再把图拼回原样。',
  'howto.slide': '点空格旁边的块，它就滑进去。',
  'howto.line': '点远一点的，整排一起滑。',
  'howto.begin': '知道了',
  'howto.helpHead': '什么算帮助',
  'howto.help': '提示、自动复原和剩余步数都来自求解器，使用后不计成绩：这一局不进纪录，也不进平均。',
  'howto.free': '可以随时使用：撤销、编号、归位方向、看原图。',

  'keys.title': '快捷键',
  'keys.moveTile': '把图块往那边移',
  'keys.redo': '重做',
  'keys.peekHold': '按住看原图',
  'keys.shuffle': '重新打乱',
  'keys.restart': '同一局重来',
  'keys.playPause': '播放或暂停解法',
  'keys.step': '退一步、进一步',
  'keys.size': '3×3、4×4、5×5',
  'keys.save': '保存',
  'keys.help': '这份列表',
  'keys.escape': '关闭最上面的窗口',
  'keys.touch': '触屏：点与空格同行或同列的块，拖动它，或在棋盘上任意处滑动。',
  'keys.letters': '单字母快捷键可在设置里关掉。凡是会丢掉一局的操作，都能撤销。',
};
