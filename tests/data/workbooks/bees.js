const X=require("xlsx");
const rows=[["Bees 2026",null,null,null],["Hive","Queen","Honey kg","Treated"],["North","marked blue",18.5,new Date(Date.UTC(2026,7,3))],["Orchard","unmarked, from the swarm of May",22.25,new Date(Date.UTC(2026,7,4))],["Roof","marked white",0,null],["Total",null,{t:"n",f:"SUM(C3:C5)",v:40.75},null]];
const s=X.utils.aoa_to_sheet(rows.map(r=>r.map(c=>c&&c.f?0:c)),{cellDates:false});
s["C6"]={t:"n",f:"SUM(C3:C5)",v:40.75};
s["D3"].z="d mmm yyyy"; s["D4"].z="d mmm yyyy";
const t=X.utils.aoa_to_sheet([["Neighbour","Told on"],["Mrs Oduya","12 March"],["Kelly & Sons","not yet"]]);
const b=X.utils.book_new(); X.utils.book_append_sheet(b,s,"Hives"); X.utils.book_append_sheet(b,t,"Neighbours");
X.writeFile(b,"bees.xlsb",{bookType:"xlsb"});
