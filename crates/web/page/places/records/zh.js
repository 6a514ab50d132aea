// “纪录”页的中文文字。

export default {
  'records.title': '纪录',
  'records.lead': '只记没用帮助、一次做成的对局：没用过提示、自动复原和剩余步数，也没有重来过。平均取最近五局或十二局，去掉最好和最差各一局。',
  'records.none': '还没有纪录。不靠帮助拼好一局完全随机的打乱，就会出现在这里。',
  'records.best': '各棋盘最佳',
  'records.size': '棋盘',
  'records.bestTime': '最快',
  'records.bestMoves': '最少步数',
  'records.ao5': '五局平均',
  'records.ao12': '十二局平均',
  'records.games': '局数',
  'records.when': '时间',
  'records.recent': '最近',
  'records.replay': '回放',
  'records.wraps': '循环',
  'records.title.page': '纪录 · 拼图',
  'records.watch': '观看',
  'records.delete': '删除这条纪录',
  'records.deleted': '纪录已删除',
};
