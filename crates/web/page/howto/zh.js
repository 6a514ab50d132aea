// 玩法说明的中文文字。

export default {
  'howto.title': '玩法',
  'howto.slide': '点空格旁边的块，它就滑进去。',
  'howto.line': '点远一点的，整排一起滑。',
  'howto.whole': '把图重新拼完整。',
  'howto.begin': '知道了',
  'howto.helpHead': '什么算帮助',
  'howto.help': '提示、自动复原和剩余步数都来自求解器。用过其中任何一样，这一局就算用了帮助：不计入纪录，也不计入平均成绩。',
  'howto.free': '随便用：撤销、编号、归位方向、看原图。',
};
